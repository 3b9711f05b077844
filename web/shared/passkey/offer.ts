import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { DAY_MS, SECOND_MS } from '#domain/duration.ts';

/* The owner's answer is kept in a cookie, because logging out clears local storage. */

const NAME = BROWSER_STORAGE.cookies.passkeyOffer;
const YEAR_SECONDS = (365 * DAY_MS) / SECOND_MS;

type Value = 'open' | 'answered';

const isStored = (value: Value) => document.cookie.includes(`${NAME}=${value}`);

function store(value: Value, lifeSeconds = YEAR_SECONDS): void {
  document.cookie = `${NAME}=${value}; Path=/; Max-Age=${lifeSeconds}; SameSite=Lax`;
}

/** Every sign-in calls this. After a sign-in by code, the dashboard offers a passkey. */
export function setPasskeyOffer(isByCode: boolean): void {
  if (!isStored('answered')) store('open', isByCode ? YEAR_SECONDS : 0);
}

export const answerPasskeyOffer = (): void => store('answered');

export const isPasskeyOffered = (): boolean => isStored('open');
