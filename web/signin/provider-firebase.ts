import type { ProviderWidget } from './provider.ts';

const CONTAINER_ID = 'firebase-login-page';

/** Firebase brings no widget: ours, in a chunk that is loaded with this provider only. */
export const firebase: ProviderWidget = {
  containerId: CONTAINER_ID,
  async start(provider, giveToken) {
    const { openFirebase } = await import('./firebase-phone.ts');
    const phoneSignIn = await openFirebase(provider);
    const { drawFirebaseForm } = await import('./firebase-form.ts');
    document
      .getElementById(CONTAINER_ID)
      ?.replaceChildren(drawFirebaseForm(phoneSignIn, giveToken));
  },
};
