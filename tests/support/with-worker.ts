/**
 * Returns the program and arguments of a command that ends together with the worker of the tests, even if the
 * worker is killed. A command that must end its own children needs TERM.
 */
export function withWorker(command: readonly string[], signal = 'KILL'): [string, string[]] {
  const isLinux = process.platform === 'linux';
  const [program = '', ...args] = isLinux
    ? ['setpriv', '--pdeathsig', signal, ...command]
    : command;
  return [program, args];
}
