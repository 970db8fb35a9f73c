//! `tavli rollout --positions`: a table with a row for each line of a file, or a line of JSON.

pub(super) mod csv_table;
pub(super) mod each_line;
