import { useEffect, useRef, useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import {
  contactFile,
  deleteContact,
  editContact,
  restoreContact,
} from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { mapNames } from '#domain/record.ts';
import { contactFileName } from '#domain/vcard.ts';
import { send } from '#web/shared/http/call.ts';
import { saveFile } from '#web/shared/http/save-file.ts';
import { ContactSheet, SaveToPhoneButton } from '#web/shared/contact/sheet.tsx';
import { AddressFailure } from '#web/shared/profile/failures.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { arrivalPhrase, fullText } from '#web/shared/ui/date-text.ts';

import { DeleteButton } from '#web/shared/contact/list.tsx';
import { ContactForm, DETAILS, DETAIL_NAMES } from './contact-form.tsx';
import { FollowUp } from './follow-up.tsx';
import { Note } from './note.tsx';
import type { Drafts } from './note-drafts.ts';
import { OpenedReportFailure } from './opening.tsx';
import type { OpenedReport } from './opening.tsx';
import type { Selection } from './selection.tsx';
import { Tags } from './tags.tsx';
import type { FoundContacts } from './use-contacts.ts';

interface DetailProps {
  readonly contact: OwnContact;
  readonly drafts: Drafts;
  readonly found: FoundContacts | null;
  readonly selection: Selection;
  readonly openedReport: OpenedReport;
  readonly isDialog: boolean;
  readonly onClose: () => void;
}

export function Detail(props: DetailProps) {
  const { contact, drafts, found, selection, openedReport, isDialog, onClose } = props;
  const { _id, name } = contact;
  const body = { contact: _id };
  const { templates = [], hasPush = false } = found ?? {};
  const onChange = (patch: Partial<OwnContact>) => selection.change(_id, patch);
  /** The contact as it was when the form was opened, or null if the form is closed. */
  const [edited, setEdited] = useState<OwnContact | null>(null);
  const deletion = useMutation({
    mutationFn: () => send(deleteContact, { body }),
    onSuccess: () => {
      drafts.remove(_id);
      selection.change(_id, null);
      const undo = async () => {
        await send(restoreContact, { body });
        selection.open(_id);
      };
      selection.addUndo({ id: _id, name, text: 'is deleted.', undo, takesFocus: false });
    },
  });
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!edited) title.current?.focus({ preventScroll: true });
  }, [edited]);
  return (
    <ContactSheet {...{ contact, isDialog, onClose }} titleRef={title}>
      {edited ? (
        <ContactForm
          initial={edited}
          submitLabel="Save"
          save={async (details) => {
            const base = mapNames(DETAIL_NAMES, (field) => edited[field]);
            onChange((await send(editContact, { body: { ...body, details, base } })).body);
            setEdited(null);
          }}
          onCancel={() => setEdited(null)}
        />
      ) : (
        <>
          <OpenedReportFailure openId={_id} openedReport={openedReport} />
          <AddressFailure />
          <FollowUp {...{ contact, templates, hasPush, onChange }}>
            <SaveToPhoneButton
              save={() => saveFile(contactFile, { query: body }, contactFileName(name))}
            >
              <Button onClick={() => setEdited(contact)}>Edit contact</Button>
            </SaveToPhoneButton>
          </FollowUp>
          <Tags contact={contact} onSaved={(tags) => onChange({ tags })} />
          <Note contact={contact} drafts={drafts} onSaved={(note) => onChange({ note })} />
          <Origin contact={contact} />
          <DeleteButton
            label="Delete contact"
            deletion={deletion}
            onClick={() => deletion.mutate()}
          />
        </>
      )}
    </ContactSheet>
  );
}

const SOURCES = {
  '': 'Received',
  typed: 'Added',
  imported: 'Imported',
  table: 'Met at a table',
} as const;

function Origin({ contact }: { readonly contact: OwnContact }) {
  const { received, receivedAt, source } = contact;
  const [now] = useState(() => new Date());
  const date = new Date(receivedAt);
  const editedNames = DETAIL_NAMES.filter((name) => received && received[name] !== contact[name]);
  return (
    <div className="contact-origin muted">
      <p>
        {SOURCES[source]}{' '}
        <time dateTime={receivedAt} title={fullText(date)}>
          {arrivalPhrase(date, now)}
        </time>
      </p>
      {editedNames.length > 0 && (
        <dl aria-label="As received">
          {editedNames.map((name) => (
            <div key={name} className="row">
              <dt>{DETAILS[name].label} as received</dt>
              <dd dir="auto">{received?.[name] || 'none'}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
