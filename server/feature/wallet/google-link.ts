import { createPrivateKey } from 'node:crypto';

import { SignJWT } from 'jose';

import { displayName } from '#domain/display.ts';
import type { Settings } from '#server/settings/settings.ts';

import type { LinkedCard } from './apple-pass.ts';

const SAVE_URL = 'https://pay.google.com/gp/v/save/';

export async function createGoogleLink(
  settings: Settings,
  { profile, palette, link, linkText, now }: LinkedCard & { readonly now: number },
): Promise<string> {
  const { googleWalletIssuerId: issuerId, productName } = settings;
  const classId = `${issuerId}.card`;
  const pass = {
    id: `${issuerId}.${profile._id}`,
    classId,
    state: 'ACTIVE',
    cardTitle: localised(productName),
    header: localised(displayName(profile)),
    ...(profile.designation !== '' && { subheader: localised(profile.designation) }),
    ...(profile.companyName !== '' && {
      textModulesData: [{ id: 'company', header: 'Company', body: profile.companyName }],
    }),
    barcode: { type: 'QR_CODE', value: link, ...(linkText !== '' && { alternateText: linkText }) },
    hexBackgroundColor: palette.deep.light,
  };
  const jwt = await new SignJWT({
    typ: 'savetowallet',
    origins: [new URL(link).origin],
    payload: { genericClasses: [{ id: classId }], genericObjects: [pass] },
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(settings.googleWalletAccount)
    .setAudience('google')
    .setIssuedAt(new Date(now))
    .sign(createPrivateKey(settings.googleWalletKey));
  return SAVE_URL + jwt;
}

function localised(value: string) {
  return { defaultValue: { language: 'en', value } };
}
