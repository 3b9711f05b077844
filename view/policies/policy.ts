import type { ReactNode } from 'react';

/** The effective date of all four policies, in its literal form (docs/product.md#policy-terms). */
export const EFFECTIVE_DATE = '7/9/2024';

/** What the settings decide of the policies. */
export interface PolicyFacts {
  readonly productName: string;
  readonly supportEmail: string;
  /** The Indian state whose courts settle disputes. */
  readonly jurisdictionState: string;
  /** Days after its last use that a session ends. */
  readonly sessionDays: number;
}

export interface PolicySection {
  /** The anchor that the contents list leads to. */
  readonly id: string;
  readonly heading: string;
  readonly body: (facts: PolicyFacts) => ReactNode;
}

export interface Policy {
  readonly path: string;
  readonly title: string;
  /** One sentence for the top of the page and for search engines. */
  readonly summary: (facts: PolicyFacts) => string;
  readonly sections: readonly PolicySection[];
}
