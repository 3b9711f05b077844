/** The browser and system of a session, as the owner reads them: 'Chrome on Android'. */
export const sessionDevice = {
  number: 6,
  name: 'session device',
  sql: "ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';",
};
