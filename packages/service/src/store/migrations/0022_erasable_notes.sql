-- Notes refuse every change but one: their words may give way to a fixed sentence, when the person
-- they are about is forgotten. Who wrote one, when, and about what stays.
create function gapura.refuse_note_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE'
    and new.text = 'Erased together with the data of the person it was about.'
    and (new.id, new.subject_id, new.created_at, new.author)
      = (old.id, old.subject_id, old.created_at, old.author)
    and new.owner_id is not distinct from old.owner_id
  then
    return new;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op
  using errcode = 'restrict_violation';
end
$$;

drop trigger staff_note_append_only on gapura.staff_note;

create trigger staff_note_append_only
before update or delete on gapura.staff_note
for each row execute function gapura.refuse_note_change();
