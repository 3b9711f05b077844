/** The time zone of the day. Days of older versions are those of UTC. */
export const visitTimeZone = {
  number: 17,
  name: 'visit time zone',
  sql: "ALTER TABLE visit_counts ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';",
};
