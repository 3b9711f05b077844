import { createHmac, timingSafeEqual } from 'node:crypto';

import { bringIn, bringInContacts } from '#contract/bring-in.ts';
import { HOUR_MS } from '#domain/duration.ts';
import { createDatabaseLimiter } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { upsertStatement } from '#server/adapter/profile/owner-row.ts';
import { cardStatement, profileValues, runCardChange } from '#server/adapter/profile/store.ts';
import type { AppContext } from '#server/context.ts';
import { fieldLockedError, verificationRequiredError } from '#server/error.ts';
import { lookColumns } from '#server/feature/appearance/store.ts';
import { bringInContacts as storeContacts } from '#server/feature/contact/brought.ts';
import { extraColumns, extraValues } from '#server/feature/extra/store.ts';
import {
  checkTranslations,
  translationColumns,
  translationLanguages,
} from '#server/feature/translation/store.ts';
import { createOwnerRateLimit } from '#server/http/limit.ts';
import { route } from '#server/http/route.ts';

const TICKET_LIFE_MS = HOUR_MS;

/** Registers the calls of 'Bring in an archive' (docs/develop/product.md#bring-in-an-archive). */
export function bringInRoutes(context: AppContext): void {
  const { settings, cards, providerTokens } = context;
  const { database, clock, secret } = context.dependencies;
  const languages = translationLanguages(settings);
  const largeBodyLimit = createOwnerRateLimit(clock, 'parts of an archive');
  const limiter = createDatabaseLimiter();

  /** A ticket needs no row: it is signed, and a session is needed too. */
  const ticketOf = (userId: string, until: number) => {
    const signed = createHmac('sha256', secret).update(`bring in\n${userId}\n${until}`);
    return `${until}.${signed.digest('base64url')}`;
  };
  const isTicket = (userId: string, ticket: string) => {
    const until = Number.parseInt(ticket, 10);
    const [given, right] = [Buffer.from(ticket), Buffer.from(ticketOf(userId, until))];
    return until > clock.now() && given.length === right.length && timingSafeEqual(given, right);
  };

  route({ ...context, largeBodyLimit }, bringIn, async ({ body, caller, request }) => {
    const { userId } = caller;
    const { token, card = {}, extras, translations, look } = body;
    if (look && settings.lockedFields.has('appearance')) throw fieldLockedError();
    if (translations) await checkTranslations(database, { ...settings, userId, translations });
    const extraTexts = extraColumns(extraValues(extras ?? {}, settings.cardExtras));
    const rows = [
      { table: 'extras', values: extraTexts },
      {
        table: 'faces',
        values: translations ? translationColumns({ userId, translations, languages }) : {},
      },
      { table: 'appearances', values: look ? lookColumns(look) : {} },
    ] as const;
    const now = clock.now();
    await providerTokens.consumeForOwner([token], { caller, request }, (_, statements) =>
      runCardChange(cards, userId, [
        ...statements,
        cardStatement({
          userId,
          now,
          values: profileValues(card, settings.lockedFields),
          condition: sql`1 = 1`,
        }),
        ...rows
          .filter(({ values }) => Object.keys(values).length > 0)
          .map((row) => upsertStatement({ ...row, userId, versions: '*' })),
      ]),
    );
    return { ticket: ticketOf(userId, now + TICKET_LIFE_MS) };
  });

  route({ ...context, largeBodyLimit }, bringInContacts, async ({ body, caller: { userId } }) => {
    const { ticket, ...part } = body;
    if (!isTicket(userId, ticket)) throw verificationRequiredError();
    return limiter.run(
      () => storeContacts(database, { ...part, userId, now: clock.now() }),
      userId,
    );
  });
}
