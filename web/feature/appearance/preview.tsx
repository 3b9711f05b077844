import { cleanProfileInput } from '#domain/profile.ts';
import type { Profile } from '#domain/profile.ts';
import { SCHEMES } from '#domain/palette.ts';
import type { Palette } from '#domain/palette.ts';
import { Card } from '#view/card.tsx';
import { settings } from '#web/shared/http/settings.ts';
import { usePhoneFormat } from '#web/shared/ui/phone-text.ts';

import { schemeStyle } from './scheme.ts';

const NAMES = { light: 'Light', dark: 'Dark' } as const;

interface PreviewProps {
  readonly profile: Profile;
  readonly palette: Palette;
  readonly logo: string;
}

/** The top of the card in both colour schemes. Hidden from screen readers: it shows colours only. */
export function Preview({ profile, palette, logo }: PreviewProps) {
  const phoneText = usePhoneFormat()(profile.phone);
  return (
    <div className="appearance-previews note" aria-hidden="true">
      {SCHEMES.map((scheme) => (
        <div key={scheme} className="appearance-preview">
          <div className="appearance-frame panel" style={schemeStyle(palette, scheme)}>
            <div className="appearance-card">
              <Card
                profile={cleanProfileInput(profile)}
                palette={palette}
                logo={logo}
                phoneText={phoneText}
                iconBaseUrl={settings().iconBaseUrl}
                mode="preview"
              />
            </div>
          </div>
          {NAMES[scheme]}
        </div>
      ))}
    </div>
  );
}
