import { rawSql, sql } from '#server/adapter/database/sql.ts';
import { defaultCountry } from '#server/adapter/otp/phone.ts';
import { createPhoneReader } from '#server/adapter/profile/phone.ts';

import { toIsoTime } from './audit.ts';
import type { AdminContext } from './context.ts';

interface VisitorRow extends Readonly<
  Record<'contact' | 'owner' | 'name' | 'companyName' | 'mobile' | 'email', string>
> {
  readonly created_at: number;
}

/** A mobile number of India and most countries has so many digits after the code of its country. */
const LOCAL_DIGITS = 10;

/**
 * Returns what a person with a phone has left on cards, for a request about personal data (docs/operate/dpdp.md).
 * Reads all contacts, because they have the spellings of their visitors.
 */
export async function findVisitors(
  { database, settings }: Pick<AdminContext, 'database' | 'settings'>,
  phone: string,
) {
  const readPhone = createPhoneReader(defaultCountry(settings.otpCountries));
  const hasPhone = (mobile: string) => {
    const { numbers, call } = readPhone(mobile);
    // Only the link of a number with an extension has it in E.164 (RFC 3966).
    return numbers.includes(phone) || call?.split(';', 1)[0] === `tel:${phone}`;
  };
  const digits = phone.slice(1).slice(-LOCAL_DIGITS);
  const anySpelling = `%${digits.split('').join('%')}%`;
  // Digits of other scripts are compared below.
  const hasOthers = database.kind === 'postgres' ? "mobile ~ '[^ -~]'" : "mobile GLOB '*[^ -~]*'";
  const found = [];
  for (const table of ['contacts', 'deleted_contacts']) {
    const rows = await database.all<VisitorRow>(sql`SELECT id AS contact, user_id AS owner, name,
        company_name AS "companyName", mobile, email, created_at FROM ${rawSql(table)}
      WHERE mobile LIKE ${anySpelling} OR mobile_key = ${phone} OR ${rawSql(hasOthers)}
      ORDER BY id`);
    for (const { created_at: time, ...row } of rows)
      if (hasPhone(row.mobile))
        found.push({ ...row, arrivedAt: toIsoTime(time), isDeleted: table !== 'contacts' });
  }
  return found;
}
