import type { Messages } from "./messages.ts";

const START_AGAIN = "Torna all’applicazione da cui provieni e ricomincia.";

export const IT: Messages = {
  errors: {
    tokenSpent: {
      title: "Questo link è già stato usato",
      happened:
        "Ogni link per collegare un account funziona una sola volta. Questo è già stato usato o non è mai stato valido.",
      whatToDo: START_AGAIN,
    },
    expired: {
      title: "Il tempo è scaduto",
      happened: "Il tempo per collegare l’account è terminato, quindi non è stato collegato nulla.",
      whatToDo: START_AGAIN,
    },
    foreignOrigin: {
      title: "Questa pagina non può avviare il collegamento",
      happened: "La richiesta proviene da {origin}, che l’applicazione non ha registrato.",
      whatToDo: START_AGAIN,
    },
    missingOrigin: {
      title: "Questa pagina non può avviare il collegamento",
      happened:
        "Il browser non ha indicato da quale sito proviene la richiesta. La causa è una pagina con la policy del referrer «no-referrer»; chi la sviluppa deve impostare «strict-origin».",
      whatToDo: START_AGAIN,
    },
    malformedForm: {
      title: "Questa pagina non può avviare il collegamento",
      happened:
        "Il modulo dell’applicazione contiene un campo che qui non è ammesso, quindi non è stato collegato nulla.",
      whatToDo: START_AGAIN,
    },
    unavailable: {
      title: "Al momento non è possibile collegare account",
      happened: "In questo momento l’applicazione non può collegare account di questo fornitore.",
      whatToDo: "Torna all’applicazione e riprova più tardi.",
    },
    returnUrlRemoved: {
      title: "La pagina dell’applicazione non è più disponibile",
      happened: "La pagina a cui saresti tornato è stata rimossa dall’applicazione nel frattempo.",
      whatToDo: START_AGAIN,
    },
    foreignBrowser: {
      title: "Usa il browser con cui hai iniziato",
      happened:
        "Questo collegamento è stato avviato in un altro browser, quindi non può essere completato qui. Non è stato collegato nulla.",
      whatToDo: "Torna al browser con cui hai iniziato oppure ricomincia da qui.",
    },
    unknownState: {
      title: "Questo collegamento non è noto",
      happened: "L’indirizzo non appartiene a nessun collegamento in corso.",
      whatToDo: START_AGAIN,
    },
    stateUsed: {
      title: "Questo passaggio è già stato completato",
      happened: "La risposta del fornitore era già stata ricevuta; qui non resta nulla da fare.",
      whatToDo: "Torna all’applicazione per vedere il risultato.",
    },
    providerError: {
      title: "La risposta del fornitore non è valida",
      happened:
        "Il fornitore ha inviato una risposta che non può essere accettata, quindi non è stato collegato nulla.",
      whatToDo: START_AGAIN,
    },
    unexpected: {
      title: "Si è verificato un problema da parte nostra",
      happened: "Non è stato possibile completare il passaggio.",
      whatToDo: "Torna all’applicazione e riprova tra un minuto.",
    },
    notFound: {
      title: "Qui non c’è nulla",
      happened: "L’indirizzo non esiste.",
      whatToDo: "Controlla l’indirizzo oppure torna all’applicazione da cui provieni.",
    },
  },
  back: "Torna a {application}",
  service: "{host} collega account per {application}.",
  support: "Assistenza",
  privacy: "Informativa sulla privacy",
  pane: {
    title: "{application} chiede di leggere il tuo account",
    next: "Nel passaggio successivo, {host} ti chiederà l’autorizzazione.",
    readTitle: "Che cosa viene letto",
    capabilities: {
      PROFILE: "Il tuo profilo: nome, nome utente, immagine e descrizione",
      CONTENT_LIST: "I tuoi post: titoli, descrizioni e immagini di anteprima",
      CONTENT_LOOKUP: "Un tuo singolo post, quando ne indichi l’indirizzo",
      CONTENT_METRICS: "Quante visualizzazioni, «Mi piace», commenti e condivisioni hanno i tuoi post",
    },
    readOnly: "Non viene pubblicato né modificato nulla.",
    retentionTitle: "Per quanto tempo viene conservato",
    retention: {
      one: "Il tuo profilo e ogni post vengono eliminati {count} giorno dopo l’ultima lettura.",
      many: "Il tuo profilo e ogni post vengono eliminati {count} di giorni dopo l’ultima lettura.",
      other: "Il tuo profilo e ogni post vengono eliminati {count} giorni dopo l’ultima lettura.",
    },
    erased: "Quando scolleghi l’account, tutto ciò che è stato letto viene eliminato.",
    revokeTitle: "Come interrompere l’accesso",
    revoke: "Scollega l’account in {application} oppure rimuovi l’app nelle impostazioni del tuo account su {host}.",
    button: "Continua su {host}",
    deadline: {
      one: "Hai {count} minuto di tempo, fino alle {time}.",
      many: "Hai {count} di minuti di tempo, fino alle {time}.",
      other: "Hai {count} minuti di tempo, fino alle {time}.",
    },
  },
  deletion: {
    title: "Eliminazione dei tuoi dati",
    requested: "Richiesta il {time}.",
    nothingHeld: "Non era conservato nulla del tuo account.",
    erased: "Tutto ciò che era conservato del tuo account è stato eliminato il {time}.",
    remaining: {
      one: "I dati di {count} account collegato sono ancora in corso di eliminazione. Riapri questa pagina più tardi.",
      many: "I dati di {count} di account collegati sono ancora in corso di eliminazione. Riapri questa pagina più tardi.",
      other:
        "I dati di {count} account collegati sono ancora in corso di eliminazione. Riapri questa pagina più tardi.",
    },
    erasedTitle: "Che cosa è stato eliminato",
    connections: {
      one: "{count} account collegato, con il suo profilo e l’autorizzazione a leggerlo",
      many: "{count} di account collegati, con i loro profili e le autorizzazioni a leggerli",
      other: "{count} account collegati, con i loro profili e le autorizzazioni a leggerli",
    },
    posts: {
      one: "{count} post, con i suoi numeri",
      many: "{count} di post, con i loro numeri",
      other: "{count} post, con i loro numeri",
    },
    appMayRemain:
      "Non è stato possibile ritirare l’autorizzazione da qui. Se l’app compare ancora nelle impostazioni del tuo account, rimuovila lì.",
    available: "Questa pagina è disponibile fino al {time}.",
    unknownTitle: "Non c’è nessuna richiesta di eliminazione con questo codice",
    unknown: {
      one: "L’indirizzo è incompleto, oppure la richiesta risale a più di {count} giorno fa.",
      many: "L’indirizzo è incompleto, oppure la richiesta risale a più di {count} di giorni fa.",
      other: "L’indirizzo è incompleto, oppure la richiesta risale a più di {count} giorni fa.",
    },
  },
};
