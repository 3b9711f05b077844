import type { CSSProperties, ComponentProps, Ref } from 'react';

import { displayName } from '#domain/display.ts';
import { socialLinks } from '#domain/handle.ts';
import { mailHref } from '#domain/href.ts';
import type { Profile } from '#domain/profile.ts';
import { currentPhotoPath } from '#domain/share.ts';
import { SIGNATURE_LINK_TEXT } from '#domain/signature.ts';

const PHOTO_SIDE_PX = 72;
/* Mail programs remove style sheets. Outlook for Windows misreads other units than px. */
const FONT = 'Arial, Helvetica, sans-serif';
const TABLE: CSSProperties = { borderCollapse: 'collapse', fontFamily: FONT, fontSize: '14px' };
const PHOTO_CELL: CSSProperties = { padding: '0 16px 0 0', verticalAlign: 'top' };
const TEXT_CELL: CSSProperties = {
  padding: '0 0 0 16px',
  verticalAlign: 'top',
  lineHeight: '24px',
};
/** The photo is an arch, as on the card. */
const PHOTO: CSSProperties = { display: 'block', border: '0', borderRadius: '36px 36px 0 0' };
const NAME: CSSProperties = { fontSize: '17px', fontWeight: 'bold', lineHeight: '28px' };
/** Links inherit the colour of the text, which a mail program in dark mode makes light. */
const LINK: CSSProperties = { color: 'inherit', textDecoration: 'underline' };
const NETWORKS: CSSProperties = { padding: '12px 0 0', fontSize: '13px', lineHeight: '22px' };

interface SignatureProps {
  readonly profile: Profile;
  /** The deep tone of the card. */
  readonly colour: string;
  readonly phoneText: string;
  readonly phoneHref: string | null;
  readonly link: string;
  readonly ref?: Ref<HTMLTableElement>;
}

export function Signature(props: SignatureProps) {
  const { profile, colour, phoneText, phoneHref, link, ref } = props;
  const { designation, companyName, phone, email, profilePhoto } = profile;
  const networks = socialLinks(profile.socialMediaHandles);
  const position = [designation, companyName].filter((text) => text !== '').join(', ');
  return (
    <table ref={ref} role="presentation" cellPadding={0} cellSpacing={0} border={0} style={TABLE}>
      <tbody>
        <tr>
          {profilePhoto !== '' && (
            <td width={PHOTO_SIDE_PX} style={PHOTO_CELL}>
              <img
                src={new URL(currentPhotoPath(profile._id), link).href}
                width={PHOTO_SIDE_PX}
                height={PHOTO_SIDE_PX}
                alt={displayName(profile)}
                style={PHOTO}
              />
            </td>
          )}
          <td style={{ ...TEXT_CELL, borderLeft: `3px solid ${colour}` }}>
            <div style={NAME} dir="auto">
              {displayName(profile)}
            </div>
            {position !== '' && <div dir="auto">{position}</div>}
            {phone !== '' && (
              <div>
                {phoneHref === null ? (
                  phoneText
                ) : (
                  <SignatureLink href={phoneHref}>{phoneText}</SignatureLink>
                )}
              </div>
            )}
            {email !== '' && (
              <div>
                <SignatureLink href={mailHref(email)}>{email}</SignatureLink>
              </div>
            )}
            <div>
              <SignatureLink href={link}>{SIGNATURE_LINK_TEXT}</SignatureLink>
            </div>
          </td>
        </tr>
        {networks.length > 0 && (
          <tr>
            <td colSpan={2} style={NETWORKS}>
              {networks.map(({ name, href }, index) => (
                <span key={name}>
                  {index > 0 && '\u00A0· '}
                  <SignatureLink href={href}>{name}</SignatureLink>
                </span>
              ))}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function SignatureLink({ href, children }: ComponentProps<'a'>) {
  return (
    <a href={href} target="_blank" rel="noopener" style={LINK}>
      {children}
    </a>
  );
}
