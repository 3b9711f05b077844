/** The builds of the public card's script by name, with the constants of web/feature/card/main.ts. */
export const CARD_SCRIPTS = Object.fromEntries(
  [false, true].flatMap((hasLanguages) =>
    [false, true].map((countsVisits) => [
      `card${hasLanguages ? '-translated' : ''}${countsVisits ? '-counting' : ''}`,
      { COUNTS_VISITS: String(countsVisits), HAS_LANGUAGES: String(hasLanguages) },
    ]),
  ),
);
