const PARENT_CHECK_MS = 200;

/**
 * Stops this process when its parent ends, if npm started it. npm sends SIGTERM to the shell between
 * npm and this process, and the shell ends without forwarding it.
 */
export function stopWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS).unref();
}
