//! Which rows stand elsewhere: the order of rows compared where some were inserted anew.

/// A row that both sides have, inserted anew on one of them: its place before and after.
pub(crate) type Places = (usize, usize);

/// Tells for each row that was inserted anew whether it stands elsewhere among the rows of both sides. The rows that were not
/// inserted anew keep their order; `fixed_before` and `fixed_after` count how many of them stand before a place. As few rows
/// as possible are said to have moved.
///
/// The rows must be in the order of their places before.
pub(crate) fn moved(
    anew: &[Places],
    fixed_before: impl Fn(usize) -> usize,
    fixed_after: impl Fn(usize) -> usize,
) -> Vec<bool> {
    let mut moved = vec![true; anew.len()];
    let between_the_same: Vec<(usize, usize)> = anew
        .iter()
        .enumerate()
        .filter(|(_, (before, after))| fixed_before(*before) == fixed_after(*after))
        .map(|(row, (_, after))| (row, *after))
        .collect();
    for row in longest_increasing(&between_the_same) {
        if let Some(moved) = moved.get_mut(row) {
            *moved = false;
        }
    }
    moved
}

/// The rows of a longest run of increasing places.
fn longest_increasing(rows: &[(usize, usize)]) -> Vec<usize> {
    // `ends` holds for each length the run that ends lowest: where it ends in `rows`. `previous` chains each run together.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(rows.len());
    let place = |at: usize| rows.get(at).map_or(0, |(_, place)| *place);
    for (at, (_, after)) in rows.iter().enumerate() {
        let length = ends.partition_point(|end| place(*end) < *after);
        previous.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        run.extend(rows.get(at).map(|(row, _)| *row));
        next = previous.get(at).copied().flatten();
    }
    run
}
