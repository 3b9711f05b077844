/** A command that begins with these words runs without root's privilege to read and write every file. */
export const UNPRIVILEGED: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
