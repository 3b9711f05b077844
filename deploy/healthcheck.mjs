// The container's health check: exits with 0 if the service answers 200.
// `node healthcheck.mjs [path]`. The default is /healthz, which does not check the stores.
const { PORT = '3000' } = process.env;
const [path = '/healthz'] = process.argv.slice(2);

const isHealthy = await fetch(`http://127.0.0.1:${PORT}${path}`).then(
  (response) => response.ok,
  () => false,
);
process.exit(isHealthy ? 0 : 1);
