const COLUMNS = 12;
const ROW_LENGTH_MAX = 4;
const IN_TWO_ROWS_MAX = 6;

/** Returns how many of twelve columns each tile takes, so that no row has a gap (docs/develop/design.md#screens). */
export function tileSpans(count: number): readonly number[] {
  return rowLengths(count).flatMap((length) => Array<number>(length).fill(COLUMNS / length));
}

/** Up to six tiles stand in one row or two. More stand in rows of four, the last of which is stretched. */
function rowLengths(count: number): readonly number[] {
  if (count < ROW_LENGTH_MAX) return [count];
  if (count <= IN_TWO_ROWS_MAX) return [Math.floor(count / 2), Math.ceil(count / 2)];
  const full = Array<number>(Math.floor(count / ROW_LENGTH_MAX)).fill(ROW_LENGTH_MAX);
  return count % ROW_LENGTH_MAX === 0 ? full : [...full, count % ROW_LENGTH_MAX];
}
