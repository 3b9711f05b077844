import { expect, test } from 'vitest';

import { settingsError } from '#tests/support/settings.ts';
import { words } from '#tests/support/words.ts';

import { readSettings } from './settings.ts';

test.each(
  Object.entries({
    PUBLIC_URL: 'PUBLICURL PUBLIC_URL_',
    SMS_GATEWAY: 'SMSGATEWAY',
    TRUST_PROXY: 'TRUST_PROXI TRUST_PROXYS TRUST_PROY',
    SECRET: 'SECRETS',
    SECRET_FILE: 'SECRETFILE',
    TWILIO_AUTH_TOKEN_FILE: 'TWILIO_AUTH_TOKE_FILE',
    PORT: 'P_ORT',
    VIEWS: 'VIE_WS',
  }),
)('misspelt setting: %s is meant where the start is stopped by %s', (meant, names) => {
  for (const name of words(names))
    expect(settingsError({ [name]: 'x' })).toBe(
      `${name} is not a setting: did you mean ${meant}? Rename the variable, or remove it.`,
    );
});

test('misspelt setting: others are not near enough, and a blank one counts as not set', () => {
  for (const name of words('PORTS SPORT POST HOSTS TRUST_PROXIES URL_PUBLIC public_url'))
    expect(settingsError({ [name]: 'x' }), name).toBe('accepted');
  expect(settingsError({ PUBLICURL: ' ' })).toBe('accepted');
});

/** What other programs set, by their documents. */
// oxfmt-ignore
const ENVIRONMENTS = {
  POSIX: `COLUMNS DATEMSK HOME LANG LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME
    LINES LOGNAME MSGVERB NLSPATH PATH PWD OLDPWD SHELL TERM TMPDIR TZ USER HOSTNAME HOSTTYPE MAIL
    EDITOR VISUAL PAGER SHLVL IFS PS1 OPTIND RANDOM SECONDS UID EUID PPID DISPLAY SSH_AUTH_SOCK
    SSH_CLIENT SSH_CONNECTION SSH_TTY SUDO_USER SUDO_COMMAND SUDO_UID SUDO_GID XDG_RUNTIME_DIR
    XDG_SESSION_ID DBUS_SESSION_BUS_ADDRESS HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy no_proxy`,
  gettext: 'LANGUAGE TEXTDOMAIN TEXTDOMAINDIR OUTPUT_CHARSET',
  npm: `INIT_CWD NODE NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_VERSION YARN_VERSION NPM_TOKEN COLOR
    npm_command npm_config_cache npm_config_loglevel npm_config_prefix npm_execpath npm_lifecycle_event
    npm_lifecycle_script npm_node_execpath npm_package_json npm_package_name npm_package_version`,
  Docker: `container DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT COMPOSE_PROJECT_NAME COMPOSE_FILE SITE VERSION
    POSTGRES_PASSWORD GARAGE_RPC_SECRET TRUSTED_PROXIES DB_NAME DB_ENV_POSTGRES_PASSWORD`,
  systemd: `INVOCATION_ID JOURNAL_STREAM LISTEN_FDS LISTEN_FDNAMES LISTEN_PID MAINPID MANAGERPID
    MEMORY_PRESSURE_WATCH MEMORY_PRESSURE_WRITE NOTIFY_SOCKET SYSTEMD_EXEC_PID WATCHDOG_PID WATCHDOG_USEC
    RUNTIME_DIRECTORY STATE_DIRECTORY CACHE_DIRECTORY LOGS_DIRECTORY CONFIGURATION_DIRECTORY
    CREDENTIALS_DIRECTORY TRIGGER_UNIT EXIT_CODE EXIT_STATUS SERVICE_RESULT REMOTE_ADDR REMOTE_PORT`,
};

test.each(Object.entries(ENVIRONMENTS))(
  'misspelt setting: what %s sets is accepted',
  (_, names) => {
    const environment = Object.fromEntries(words(names).map((name) => [name, '1']));
    expect(settingsError(environment)).toBe('accepted');
  },
);

/** Of Kubernetes, for a service of that name; Docker's --link sets those with `tcp:`. */
function serviceLinks(service: string): Record<string, string> {
  const link = `${service}_PORT_443_TCP`;
  return {
    [`${service}_SERVICE_HOST`]: '10.96.0.1',
    [`${service}_SERVICE_PORT`]: '443',
    [`${service}_SERVICE_PORT_HTTPS`]: '443',
    [`${service}_PORT`]: 'tcp://10.96.0.1:443',
    [link]: 'tcp://10.96.0.1:443',
    [`${link}_PROTO`]: 'tcp',
    [`${link}_PORT`]: '443',
    [`${link}_ADDR`]: '10.96.0.1',
  };
}

test('misspelt setting: the links to services of Kubernetes are accepted and set nothing', () => {
  const services = ['KUBERNETES', 'TESSERA', 'S3', 'SMS', 'OTP', 'METRIC', 'METRICS', 'DATABASE'];
  for (const service of services)
    expect(readSettings(serviceLinks(service))).toEqual(readSettings({}));
  // Control: without the form of a link the name is nearly a setting.
  expect(settingsError({ METRIC_PORT: '9100' })).toContain('did you mean METRICS_PORT?');
});
