import type { ReactNode } from 'react';

import type { Extra } from '#domain/extras.ts';

/** The date is part of docs/develop/product.md#policy-terms. */
export const EFFECTIVE_DATE = '7/9/2024';

export interface PolicySettings {
  readonly productName: string;
  readonly supportEmail: string;
  readonly abuseEmail: string | null;
  readonly jurisdictionState: string;
  /** The number of days after which a visitor's details are deleted, or null if they are not. */
  readonly contactKeepDays: number | null;
  readonly hasNotice: boolean;
  readonly hasReceipts: boolean;
  /** Whether people sign in at their company's own page. */
  readonly hasCompanyLogin: boolean;
  readonly hasContactsView: boolean;
  readonly countsVisits: boolean;
  readonly cardExtras: ReadonlySet<Extra>;
  readonly hasWebhooks: boolean;
  readonly hasLanguages: boolean;
}

export interface PolicySection {
  readonly id: string;
  readonly heading: string;
  readonly body: (settings: PolicySettings) => ReactNode;
}

export interface Policy {
  readonly path: string;
  readonly title: string;
  readonly summary: (settings: PolicySettings) => string;
  readonly sections: readonly PolicySection[];
}

export const LAW_AND_CONTACT: PolicySection = {
  id: 'contact',
  heading: 'Law and contact',
  body: (settings) => (
    <p>
      This policy is governed by Indian law; disputes are settled in the courts of{' '}
      {settings.jurisdictionState}, India. Support: <SupportLink settings={settings} />.
      {settings.hasLanguages && ' The policies are in English only.'}
    </p>
  ),
};

export const ACTIVATION: PolicySection = {
  id: 'activation',
  heading: 'Activation',
  body: (settings) => (
    <p>
      Activation issues are resolved within 24-48 hours. Write to{' '}
      <SupportLink settings={settings} />.
    </p>
  ),
};

export const DAMAGED_ITEMS: PolicySection = {
  id: 'damaged',
  heading: 'Damaged items',
  body: (settings) => (
    <p>
      A damaged item must be reported within 48 hours of delivery. Write to{' '}
      <SupportLink settings={settings} />.
    </p>
  ),
};

export const MINIMUM_AGE: PolicySection = {
  id: 'age',
  heading: 'Minimum age',
  body: ({ productName }) => (
    <p>The minimum age for using {productName} is 14, or the local age of majority.</p>
  ),
};

export function SupportLink({ settings }: { readonly settings: PolicySettings }) {
  return <a href={`mailto:${settings.supportEmail}`}>{settings.supportEmail}</a>;
}
