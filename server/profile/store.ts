import type { Profile, ProfileChange } from '#domain/profile.ts';
import type { Database } from '#server/db/database.ts';

const COLUMNS =
  'id, name, designation, company_name, bio, phone, email, profile_photo, social_media_handles';

interface UserRow {
  id: string;
  name: string;
  designation: string;
  company_name: string;
  bio: string;
  phone: string;
  email: string;
  profile_photo: string;
  social_media_handles: string;
}

function toProfile(row: UserRow): Profile {
  return {
    _id: row.id,
    name: row.name,
    designation: row.designation,
    companyName: row.company_name,
    bio: row.bio,
    phone: row.phone,
    email: row.email,
    profilePhoto: row.profile_photo,
    socialMediaHandles: JSON.parse(row.social_media_handles) as Profile['socialMediaHandles'],
  };
}

/** The card of a user, or null where there is no such user. One row read. */
export async function findProfile(database: Database, userId: string): Promise<Profile | null> {
  const row = await database.one<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = $1`, [userId]);
  return row && toProfile(row);
}

/**
 * Changes a card in one statement and gives it back as it now is; null where the user is gone.
 * An absent field stays as it was; handles are merged, and one of null is removed.
 */
export async function updateProfile(
  database: Database,
  change: ProfileChange & { userId: string; now: number },
): Promise<Profile | null> {
  const row = await database.one<UserRow>(
    `UPDATE users SET
       name = COALESCE($1, name),
       designation = COALESCE($2, designation),
       company_name = COALESCE($3, company_name),
       bio = COALESCE($4, bio),
       phone = COALESCE($5, phone),
       email = COALESCE($6, email),
       social_media_handles = json_patch(social_media_handles, $7),
       updated_at = $8
     WHERE id = $9
     RETURNING ${COLUMNS}`,
    [
      change.name ?? null,
      change.designation ?? null,
      change.companyName ?? null,
      change.bio ?? null,
      change.phone ?? null,
      change.email ?? null,
      JSON.stringify(change.socialMediaHandles ?? {}),
      change.now,
      change.userId,
    ],
  );
  return row && toProfile(row);
}
