import type { ProviderSettings } from '#contract/browser-settings.ts';
import { Refusal } from '#web/login/calls.ts';

/** What is used of Firebase's two modules, which come from OTP_SCRIPT_URL as they are. */
interface AppModule {
  readonly initializeApp: (options: Readonly<Record<string, string>>) => object;
}
interface AuthModule {
  readonly inMemoryPersistence: object;
  readonly initializeAuth: (app: object, options: { persistence: object }) => object;
  readonly RecaptchaVerifier: new (
    auth: object,
    container: HTMLElement,
    options: { size: 'invisible' },
  ) => { clear: () => void };
  readonly signInWithPhoneNumber: (
    auth: object,
    phone: string,
    verifier: object,
  ) => Promise<Confirmation>;
  readonly signOut: (auth: object) => Promise<void>;
}
interface Confirmation {
  readonly confirm: (
    code: string,
  ) => Promise<{ readonly user: { readonly getIdToken: () => Promise<string> } }>;
}

const SENTENCES: Readonly<Record<string, string>> = {
  'auth/invalid-phone-number': 'This is not a complete phone number. Check it and try again.',
  'auth/invalid-verification-code': 'This code is not right. Check it and try again.',
  'auth/code-expired': 'This code is not valid any more. Ask for a new one.',
  'auth/too-many-requests': 'Too many codes were asked for. Try again later.',
  'auth/network-request-failed':
    'The service cannot be reached. Check your connection and try again.',
};

/**
 * Loads Firebase and opens it without any memory of its own: the session is ours alone. Each of the
 * two steps rejects with Refusal and nothing else.
 */
export async function openFirebase({ scriptUrl, configuration }: ProviderSettings) {
  const [{ initializeApp }, firebase] = await Promise.all([
    import(/* @vite-ignore */ `${scriptUrl}/firebase-app.js`) as Promise<AppModule>,
    import(/* @vite-ignore */ `${scriptUrl}/firebase-auth.js`) as Promise<AuthModule>,
  ]);
  const auth = firebase.initializeAuth(initializeApp(configuration), {
    persistence: firebase.inMemoryPersistence,
  });
  let confirmation: Confirmation | null = null;

  return {
    /** Has a code sent to a phone (E.164); `holder` is a fresh element for reCAPTCHA. */
    send: (phone: string, holder: HTMLElement) =>
      refusing(async () => {
        const verifier = new firebase.RecaptchaVerifier(auth, holder, { size: 'invisible' });
        try {
          confirmation = await firebase.signInWithPhoneNumber(auth, phone, verifier);
        } finally {
          verifier.clear();
        }
      }),

    /** The ID token for a code. */
    confirm: (code: string) =>
      refusing(async () => {
        if (!confirmation) throw new Error('No code was sent.');
        const { user } = await confirmation.confirm(code);
        const token = await user.getIdToken();
        await firebase.signOut(auth);
        return token;
      }),
  };
}

export type PhoneSignIn = Awaited<ReturnType<typeof openFirebase>>;

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new Refusal(
      SENTENCES[code] ?? 'Signing in did not work just now. Try again in a moment.',
    );
  }
}
