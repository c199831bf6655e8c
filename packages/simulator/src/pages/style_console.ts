/** The lists and panels of the tester's console. */
export const CONSOLE_STYLE = `
.console main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
.lead { color: var(--soft); max-width: 44rem; margin: -0.5rem 0 1.25rem; }
.crumb { font-size: 0.9rem; margin-bottom: 0.25rem; }
.panel, .card, .list, .welcome, .timeline, .rules, .events { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; }
.panel { padding: 1rem 1.25rem; }
.facts + form.actions { margin-top: 1rem; }
.headline { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; margin-bottom: 1rem; }
.headline strong { font-size: 1.6rem; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(18.5rem, 1fr)); gap: 0.75rem 1rem; }
.facts code { font-size: 0.82em; }
.facts dt { color: var(--soft); font-size: 0.85rem; }
.facts dd { overflow-wrap: anywhere; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.2fr); gap: 0 2rem; align-items: start; }

.filter { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; margin-bottom: 1rem; }
.filter label:first-child { flex: 1 1 14rem; }
.list { width: 100%; border-collapse: separate; border-spacing: 0; overflow: hidden; }
.list th, .list td { text-align: left; padding: 0.55rem 0.9rem; border-top: 1px solid var(--line); font-weight: 400; }
.list thead th { border-top: 0; color: var(--soft); font-size: 0.85rem; background: var(--sunk); }
.list tbody th { font-weight: 600; overflow-wrap: anywhere; }
/* The order id of a subscription's cycle is long; its own page shows the whole. */
.list tbody th a { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.list tbody tr:hover { background: var(--sunk); }
.list .number, .items .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.list .end { text-align: right; }
.list td time { font-size: 0.9rem; color: var(--soft); }
.pager { display: flex; gap: 1rem; align-items: center; justify-content: center; margin-top: 1rem; }

.welcome { padding: 1.5rem; }
.welcome h2 { margin-top: 0; font-size: 1.3rem; }
.welcome p { max-width: 46rem; }
.code { position: relative; margin: 1rem 0; }
.code .copy { position: absolute; top: 0.5rem; right: 0.5rem; }
.welcome .facts { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin-top: 1.25rem; }

.timeline, .rules, .events { list-style: none; padding: 0; }
.timeline li, .rules li, .events li { padding: 0.6rem 1rem; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: center; justify-content: space-between; }
.timeline li:first-child, .rules li:first-child, .events li:first-child { border-top: 0; }
.timeline time { color: var(--soft); font-size: 0.85rem; }
.timeline .what { overflow-wrap: anywhere; }
.timeline .call .what { color: var(--soft); }
.events li { justify-content: flex-start; }
.events time { color: var(--soft); min-width: 14.5rem; }
.events b { min-width: 7.5rem; }
.rules .over { color: var(--soft); }
.rules + form { margin-top: 0.75rem; }
.rules li.on { border-left: 4px solid var(--warn); }

.deliveries { list-style: none; padding: 0; display: grid; gap: 0.75rem; }
.card { padding: 0.85rem 1rem; display: grid; gap: 0.5rem; }
.row { display: flex; flex-wrap: wrap; gap: 0.35rem 0.75rem; align-items: center; }
.card > .row:first-child time { margin-left: auto; color: var(--soft); font-size: 0.85rem; }
.card .url { font: 0.85rem var(--mono); overflow-wrap: anywhere; }
.card details { flex: 1 1 12rem; min-width: 0; }
.card details[open] { flex-basis: 100%; }
.card pre { margin-top: 0.5rem; }
.next { color: var(--open); }
.attempt { border-left: 3px solid var(--line); padding-left: 0.75rem; }
.attempt.good { border-color: var(--good); }
.attempt.bad { border-color: var(--bad); }
.attempt time { font-size: 0.85rem; color: var(--soft); }
.attempt pre { max-height: 10rem; }
summary { cursor: pointer; padding: 0.4rem 0; }
.tabs { margin: 1rem 0; font-size: 0.9rem; }
.targets { display: grid; gap: 0.75rem; }
.targets form:first-child { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; }
.targets label { flex: 1 1 16rem; }

.fault { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; margin-bottom: 0.4rem; }
.fault summary { padding: 0.6rem 1rem; display: flex; flex-wrap: wrap; gap: 0.1rem 0.75rem; align-items: baseline; }
.fault summary::before { content: '+'; font-family: var(--mono); color: var(--accent); }
.fault[open] summary::before { content: '−'; }
.fault summary code { min-width: 9.5rem; font-weight: 600; }
.fault summary span { color: var(--soft); }
.fault form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; padding: 0.25rem 1rem 1rem; }
.fault input[type='number'] { width: 8rem; }
.bigtime { font-size: 1.5rem; font-weight: 600; margin-bottom: 1rem; display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; }
.report { margin-top: 1.5rem; }
.report .quiet { margin-bottom: 0.75rem; }

/* Keeps the bar on one line; a clock that stands still is said on every width. */
@media (max-width: 74rem) {
  .corner .usual { display: none; }
}

@media (max-width: 52rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  .top nav { order: 3; width: 100%; overflow-x: auto; }
  .top nav ul { flex-wrap: nowrap; }
  .top nav a { white-space: nowrap; }
  .corner { font-size: 0.8rem; gap: 0 0.9rem; }
  .list, .list tbody, .list tr { display: block; }
  .list thead { display: none; }
  .list tr { padding: 0.6rem 0.9rem; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0.15rem 0.75rem; align-items: center; }
  .list tr:first-child { border-top: 0; }
  .list th, .list td { padding: 0; border: 0; }
  .list tbody th { flex: 1 1 55%; order: -2; }
  .list tbody th + td { order: -1; }
  .list td:has(time) { flex: 1 1 auto; }
  .list td time { font-size: 0.82rem; }
  .filter > * { flex: 1 1 8rem; }
  .filter label:first-child { flex-basis: 100%; }
  .filter select { width: 100%; }
  .fault summary code { min-width: 0; }
  .code .copy { position: static; margin-top: 0.5rem; }
}
`
