const COLUMNS = 12;
/** In the others, rows of four; the last one takes the whole width. */
const ROWS: Readonly<Record<number, readonly number[]>> = {
  1: [1],
  2: [2],
  3: [3],
  4: [2, 2],
  5: [2, 3],
  6: [3, 3],
};
const ROW_LENGTH_MAX = 4;

/** How many of twelve columns each tile takes, so that no row has a gap (docs/design.md#screens). */
export function tileSpans(count: number): readonly number[] {
  const rows =
    ROWS[count] ??
    Array.from({ length: Math.ceil(count / ROW_LENGTH_MAX) }, (_, row) =>
      Math.min(ROW_LENGTH_MAX, count - row * ROW_LENGTH_MAX),
    );
  return rows.flatMap((length) => Array<number>(length).fill(COLUMNS / length));
}
