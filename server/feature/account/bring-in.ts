import { bringIn, bringInContacts } from '#contract/bring-in.ts';
import { HOUR_MS } from '#domain/duration.ts';
import { createDatabaseLimiter } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { isTicket, signTicket } from '#server/adapter/otp/ticket.ts';
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

/** Registers the calls of 'Bring in an archive' (docs/develop/product.md#bring-in-an-archive). */
export function bringInRoutes(context: AppContext): void {
  const { settings, cards, providerTokens } = context;
  const { database, clock, secret } = context.dependencies;
  const languages = translationLanguages(settings);
  const largeBodyLimit = createOwnerRateLimit(clock, 'parts of an archive');
  const limiter = createDatabaseLimiter();

  const ticketOf = (userId: string) => ({
    purpose: `bring in ${userId}`,
    now: clock.now(),
    lifeMs: HOUR_MS,
  });

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
    return { ticket: signTicket(secret, ticketOf(userId)) };
  });

  route({ ...context, largeBodyLimit }, bringInContacts, async ({ body, caller: { userId } }) => {
    const { ticket, ...part } = body;
    if (!isTicket(secret, ticket, ticketOf(userId))) throw verificationRequiredError();
    return limiter.run(
      () => storeContacts(database, { ...part, userId, now: clock.now() }),
      userId,
    );
  });
}
