/**
 * When the owner last wrote to a contact, the day of a reminder with its time zone, and when its push
 * is due (null if it was sent); and the owner's templates, as JSON.
 */
export const followUp = {
  number: 34,
  name: 'follow up',
  onlyAdds: true,
  sql: `
    ${['contacts', 'deleted_contacts']
      .map(
        (table) => `
      ALTER TABLE ${table} ADD COLUMN contacted_at BIGINT;
      ALTER TABLE ${table} ADD COLUMN reminder_day TEXT;
      ALTER TABLE ${table} ADD COLUMN reminder_at BIGINT;`,
      )
      .join('')}
    CREATE INDEX contacts_reminded ON contacts (user_id, reminder_day) WHERE reminder_day IS NOT NULL;
    CREATE INDEX contacts_due ON contacts (reminder_at) WHERE reminder_at IS NOT NULL;
    CREATE TABLE templates (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      templates TEXT NOT NULL
    );
  `,
} as const;
