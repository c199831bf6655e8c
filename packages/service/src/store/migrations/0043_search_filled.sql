-- gapura: no transaction

call gapura.fill_search_of_before();
