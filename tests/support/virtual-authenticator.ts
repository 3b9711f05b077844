import { generateKeyPairSync, randomBytes } from 'node:crypto';

import type { Page } from '@playwright/test';

interface Credential {
  readonly credentialId: string;
  readonly signCount: number;
  readonly rpId?: string;
  readonly isResidentCredential: boolean;
  readonly privateKey: string;
  readonly userHandle?: string;
}

/** Returns a passkey that no service knows. */
export function newCredential(): Credential {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    credentialId: randomBytes(32).toString('base64'),
    signCount: 1,
    rpId: 'localhost',
    isResidentCredential: true,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    userHandle: randomBytes(16).toString('base64'),
  };
}

/** Adds an authenticator of the device to a page, such as a fingerprint reader. It is not touched until told. */
export interface Device {
  /** Applies to what a page asks for later, and not to what it is asking for already. */
  readonly touch: (enabled: boolean) => Promise<unknown>;
  readonly setVerified: (isUserVerified: boolean) => Promise<unknown>;
  readonly credentials: () => Promise<readonly Credential[]>;
  /** Replaces a credential, for example by one with an earlier counter. */
  readonly replace: (credential: Credential) => Promise<unknown>;
  readonly add: (credential: Credential) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}

export async function addAuthenticator(page: Page, { isTouched = true } = {}): Promise<Device> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: isTouched,
  } as const;
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    touch: (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    setVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () =>
      (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    replace: async (credential: Credential) => {
      const { credentialId } = credential;
      await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
      await session.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
    add: (credential: Credential) =>
      session.send('WebAuthn.addCredential', { authenticatorId, credential }),
    remove: async () => {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      await session.detach();
    },
  };
}
