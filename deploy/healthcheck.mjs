// What the container's health check runs: exit code 0 where the service answers 200.
// `node healthcheck.mjs [path]`, by default /healthz: the process, not what it needs.
const { PORT = '3000' } = process.env;
const [path = '/healthz'] = process.argv.slice(2);

const isWell = await fetch(`http://127.0.0.1:${PORT}${path}`).then(
  (answer) => answer.ok,
  () => false,
);
process.exit(isWell ? 0 : 1);
