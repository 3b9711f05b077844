/** The words before a command that start it without root's permission to open and write every file. */
export const UNPRIVILEGED: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
