import './tools.css';

import { useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

import { exportCsv, exportVcard } from '#contract/contacts-view.ts';
import type { Template } from '#domain/follow-up.ts';
import { PATHS } from '#domain/path.ts';
import { ADD_CONTACT_QUERY, SHARED_QUERY } from '#domain/share.ts';
import { useDownload } from '#web/shared/http/save-file.ts';
import { IconButton } from '#web/shared/ui/button.tsx';

import { AddContact } from './contact-form.tsx';
import { Templates } from './follow-up.tsx';
import { ImportContacts } from './import-contacts.tsx';
import type { Selection } from './selection.tsx';
import type { ContactQuery } from './use-contacts.ts';
import type { WaitingContact } from './waiting.ts';

/** Opens the dialogs of the Contacts view. Links from outside open two of them by a query. */
export function useTools() {
  const [search, setSearch] = useSearchParams();
  const [rejected, setRejected] = useState<WaitingContact | null>(null);
  const [showsTemplates, setShowsTemplates] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  return {
    fileInput,
    rejected,
    showsTemplates,
    isAdding: search.has(ADD_CONTACT_QUERY),
    isShared: search.has(SHARED_QUERY),
    /** Opens the form for a new contact, or for one that the service has rejected. */
    add: (contact: WaitingContact | null) => {
      setRejected(contact);
      setSearch({ [ADD_CONTACT_QUERY]: '' }, { replace: true });
    },
    chooseFile: () => fileInput.current?.click(),
    showTemplates: () => setShowsTemplates(true),
    close: () => {
      setRejected(null);
      setShowsTemplates(false);
      setSearch({}, { replace: true });
    },
  };
}

export type ContactTools = ReturnType<typeof useTools>;

interface ToolDialogsProps {
  readonly tools: ContactTools;
  readonly templates: readonly Template[] | undefined;
}

export function ToolDialogs({ tools, templates }: ToolDialogsProps) {
  const { fileInput, rejected, showsTemplates, isAdding, isShared, close } = tools;
  return (
    <>
      <ImportContacts input={fileInput} isShared={isShared} onClose={close} />
      {showsTemplates && templates && <Templates templates={templates} onClose={close} />}
      {isAdding && <AddContact rejected={rejected} onClose={close} />}
    </>
  );
}

const EXPORTS = [
  { name: 'Export CSV', endpoint: exportCsv, fileName: 'contacts.csv' },
  { name: 'Export vCard', endpoint: exportVcard, fileName: 'contacts.vcf' },
] as const;

interface ToolButtonsProps {
  readonly tools: ContactTools;
  readonly query: ContactQuery;
  readonly hasTemplates: boolean;
  readonly selection: Selection;
}

export function ToolButtons({ tools, query, hasTemplates, selection }: ToolButtonsProps) {
  const { isBusy, message, download } = useDownload();
  const isSelecting = selection.chosen !== null;
  return (
    <>
      <IconButton
        name="Add contact"
        icon="plus"
        className="contacts-add ui-button-main"
        onClick={() => tools.add(null)}
      />
      <Menu>
        <button type="button" onClick={tools.chooseFile}>
          Import contacts
        </button>
        <button type="button" disabled={!hasTemplates} onClick={tools.showTemplates}>
          Templates
        </button>
        <button
          type="button"
          aria-pressed={isSelecting}
          onClick={() => selection.choose(isSelecting ? null : new Set())}
        >
          Select
        </button>
        {EXPORTS.map(({ name, endpoint, fileName }) => (
          <a
            key={name}
            // The download needs a header that a link cannot send. A new tab therefore shows this page instead.
            href={PATHS.contacts}
            aria-disabled={isBusy || undefined}
            onClick={(event) => {
              event.preventDefault();
              download(endpoint, { body: query }, fileName);
            }}
          >
            {name}
          </a>
        ))}
      </Menu>
      <output className="contacts-message muted">{message}</output>
    </>
  );
}

/** Choosing an entry closes the menu, and so does a press elsewhere. The focus returns to its button. */
function Menu({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys and presses are those of its buttons
    <div
      className="menu"
      // Safari focuses no button at a press. Its nearest ancestor that can have the focus gets it instead.
      tabIndex={-1}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
      onKeyDown={({ key }) => key === 'Escape' && isOpen && close()}
    >
      <IconButton
        ref={button}
        name="More"
        icon="more"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- a press on an entry bubbles
        <div id={id} className="menu-entries panel" onClick={close}>
          {children}
        </div>
      )}
    </div>
  );
}
