import type { ProviderSettings } from '#contract/browser-settings.ts';
import { NO_RESPONSE } from '#web/http/request.ts';
import { RequestError } from '#web/otp/form-step.ts';

/** The part that is used. Both modules are loaded unchanged from OTP_SCRIPT_URL. */
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
  ) => Promise<{ readonly verificationId: string }>;
  readonly PhoneAuthProvider: {
    readonly credential: (verificationId: string, code: string) => object;
  };
  readonly signInWithCredential: (
    auth: object,
    credential: object,
  ) => Promise<{ readonly user: { readonly getIdToken: () => Promise<string> } }>;
  readonly signOut: (auth: object) => Promise<void>;
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  'auth/invalid-phone-number': 'This is not a complete phone number. Check it and try again.',
  'auth/invalid-verification-code': 'This code is not right. Check it and try again.',
  'auth/code-expired': 'This code is not valid any more. Ask for a new one.',
  'auth/too-many-requests': 'Too many codes were asked for. Try again later.',
  'auth/network-request-failed': NO_RESPONSE,
};

/** In memory, because the service has its own sessions. Both functions reject with RequestError. */
export async function openFirebase({ scriptUrl, configuration }: ProviderSettings) {
  const [{ initializeApp }, firebase] = await Promise.all([
    import(/* @vite-ignore */ `${scriptUrl}/firebase-app.js`) as Promise<AppModule>,
    import(/* @vite-ignore */ `${scriptUrl}/firebase-auth.js`) as Promise<AuthModule>,
  ]);
  const auth = firebase.initializeAuth(initializeApp(configuration), {
    persistence: firebase.inMemoryPersistence,
  });

  return {
    /** To E.164; returns the id of the verification. `captcha` is a new element for reCAPTCHA. */
    send: (phone: string, captcha: HTMLElement) =>
      withRequestError(async () => {
        const verifier = new firebase.RecaptchaVerifier(auth, captcha, { size: 'invisible' });
        try {
          const sent = await firebase.signInWithPhoneNumber(auth, phone, verifier);
          return sent.verificationId;
        } finally {
          verifier.clear();
        }
      }),

    /** Returns the ID token, also after a reload of the page that sent the code. */
    confirm: (verificationId: string, code: string) =>
      withRequestError(async () => {
        const credential = firebase.PhoneAuthProvider.credential(verificationId, code);
        const { user } = await firebase.signInWithCredential(auth, credential);
        const token = await user.getIdToken();
        await firebase.signOut(auth);
        return token;
      }),
  };
}

export type PhoneSignIn = Awaited<ReturnType<typeof openFirebase>>;

async function withRequestError<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new RequestError(
      ERROR_TEXTS[code] ?? 'Signing in did not work just now. Try again in a moment.',
    );
  }
}
