import { UNKNOWN_USER } from '#domain/profile.ts';

import { NoticePage } from './notice-page.tsx';

interface NoCardPageProps {
  readonly productName: string;
  readonly appUrl: string;
  readonly style: string;
}

/** The page of a user who does not exist (docs/product.md#public-card). */
export function UnknownPage({ style, ...footer }: NoCardPageProps) {
  return (
    <NoticePage
      title={`${UNKNOWN_USER.name} - ${footer.productName}`}
      heading={UNKNOWN_USER.name}
      sentence={UNKNOWN_USER.bio}
      footer={footer}
      style={style}
    />
  );
}

/** The fallback for a card without a phone (docs/product.md#public-card). */
export function NotReadyPage({ style, ...footer }: NoCardPageProps) {
  return (
    <NoticePage
      title={`This card is not ready yet - ${footer.productName}`}
      heading="This card is not ready yet"
      sentence="Its owner is still filling it in. Look again in a little while."
      footer={footer}
      style={style}
    />
  );
}
