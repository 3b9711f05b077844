import type { ProviderSettings } from '#contract/browser-settings.ts';
import { RequestError } from '#web/shared/otp/form-step.ts';
import { codeTexts } from '#web/shared/otp/texts.ts';

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

type ErrorText = 'phoneIncomplete' | 'codeWrong' | 'codeExpired' | 'tooManyCodes' | 'noResponse';

const ERROR_TEXTS: ReadonlyMap<string, ErrorText> = new Map([
  ['auth/invalid-phone-number', 'phoneIncomplete'],
  ['auth/invalid-verification-code', 'codeWrong'],
  ['auth/code-expired', 'codeExpired'],
  ['auth/too-many-requests', 'tooManyCodes'],
  ['auth/network-request-failed', 'noResponse'],
]);

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
    throw new RequestError(codeTexts()[ERROR_TEXTS.get(code) ?? 'notNow']);
  }
}
