/**
 * The program and arguments of a command that ends with the worker of the tests, also if that is killed. TERM is for a
 * command that ends its own children.
 */
export function withWorker(command: readonly string[], signal = 'KILL'): [string, string[]] {
  const isLinux = process.platform === 'linux';
  const [program = '', ...args] = isLinux
    ? ['setpriv', '--pdeathsig', signal, ...command]
    : command;
  return [program, args];
}
