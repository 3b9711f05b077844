/** The phones (E.164) that may sign up with SIGNUP=invited, and the names that their cards begin with. */
export const invitations = {
  number: 33,
  name: 'invitations',
  sql: `
    CREATE TABLE invitations (
      phone TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      created_at BIGINT NOT NULL
    );
  `,
  onlyAdds: true,
} as const;
