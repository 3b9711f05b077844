import { PATHS } from './path.ts';

export const TYPED_PHONE_LENGTH_MAX = 64;
export const CODE_LENGTH = 6;
/** After many wrong codes in a row (docs/security.md#embedded-provider). */
export const LONG_CODE_LENGTH = 8;
export const TYPED_CODE_LENGTH_MAX = 32;

export const STORAGE_KEYS = {
  id: '_id',
  sessionToken: 'sessionToken',
  marker: 'signedIn',
  contactsSeen: 'contactsSeen',
} as const;

export interface LoginState {
  readonly hasId: boolean;
  readonly hasToken: boolean;
  readonly hasMarker: boolean;
  /** Another page gave a reason (web/shared/http/redirect-reason.ts). */
  readonly isRedirected: boolean;
}

export function loginAction(state: LoginState): 'dashboard' | 'clear' | 'widget' {
  const hasSession = state.hasId && state.hasToken;
  if (hasSession) return state.isRedirected ? 'widget' : 'dashboard';
  return state.hasMarker ? 'clear' : 'widget';
}

export function pageAfterSignIn(user: { name: string; phone: string }): string {
  if (user.name.trim() !== '') return `${PATHS.dashboard}/`;
  return `${PATHS.onboarding}?phone=${encodeURIComponent(user.phone)}`;
}
