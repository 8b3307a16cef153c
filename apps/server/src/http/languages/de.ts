import type { Messages } from "./messages.ts";

const START_AGAIN = "Gehen Sie zurück zur Anwendung, von der Sie gekommen sind, und beginnen Sie von vorn.";

export const DE: Messages = {
  errors: {
    tokenSpent: {
      title: "Dieser Link wurde bereits verwendet",
      happened:
        "Jeder Link zum Verbinden eines Kontos funktioniert einmal. Dieser wurde schon verwendet oder war nie gültig.",
      whatToDo: START_AGAIN,
    },
    expired: {
      title: "Die Zeit ist abgelaufen",
      happened: "Die Zeit zum Verbinden des Kontos ist abgelaufen. Es wurde nichts verbunden.",
      whatToDo: START_AGAIN,
    },
    foreignOrigin: {
      title: "Diese Seite kann die Verbindung nicht starten",
      happened: "Die Anfrage kam von {origin}. Diese Adresse hat die Anwendung nicht registriert.",
      whatToDo: START_AGAIN,
    },
    missingOrigin: {
      title: "Diese Seite kann die Verbindung nicht starten",
      happened:
        "Der Browser hat nicht mitgeteilt, von welcher Website die Anfrage kam. Die Ursache ist eine Seite mit der Referrer-Richtlinie „no-referrer“; ihre Entwickler sollten „strict-origin“ setzen.",
      whatToDo: START_AGAIN,
    },
    malformedForm: {
      title: "Diese Seite kann die Verbindung nicht starten",
      happened: "Das Formular der Anwendung enthält ein Feld, das hier nicht zulässig ist. Es wurde nichts verbunden.",
      whatToDo: START_AGAIN,
    },
    unavailable: {
      title: "Verbinden ist derzeit nicht möglich",
      happened: "Die Anwendung kann bei diesem Anbieter gerade keine Konten verbinden.",
      whatToDo: "Gehen Sie zurück zur Anwendung und versuchen Sie es später noch einmal.",
    },
    returnUrlRemoved: {
      title: "Die Seite der Anwendung ist nicht mehr verfügbar",
      happened: "Die Seite, zu der Sie zurückkehren sollten, wurde inzwischen aus der Anwendung entfernt.",
      whatToDo: START_AGAIN,
    },
    foreignBrowser: {
      title: "Bitte verwenden Sie den Browser, in dem Sie begonnen haben",
      happened:
        "Diese Verbindung wurde in einem anderen Browser begonnen und kann hier nicht abgeschlossen werden. Es wurde nichts verbunden.",
      whatToDo: "Gehen Sie zurück zu dem Browser, in dem Sie begonnen haben, oder beginnen Sie hier von vorn.",
    },
    unknownState: {
      title: "Diese Verbindung ist nicht bekannt",
      happened: "Die Adresse gehört zu keiner laufenden Verbindung.",
      whatToDo: START_AGAIN,
    },
    stateUsed: {
      title: "Dieser Schritt ist bereits erledigt",
      happened: "Die Antwort des Anbieters ist schon früher eingegangen. Hier ist nichts mehr zu tun.",
      whatToDo: "Gehen Sie zurück zur Anwendung, um das Ergebnis zu sehen.",
    },
    providerError: {
      title: "Die Antwort des Anbieters war ungültig",
      happened: "Der Anbieter hat eine Antwort gesendet, die nicht angenommen werden kann. Es wurde nichts verbunden.",
      whatToDo: START_AGAIN,
    },
    unexpected: {
      title: "Bei uns ist etwas schiefgegangen",
      happened: "Der Schritt konnte nicht abgeschlossen werden.",
      whatToDo: "Gehen Sie zurück zur Anwendung und versuchen Sie es in einer Minute noch einmal.",
    },
    notFound: {
      title: "Hier gibt es nichts",
      happened: "Die Adresse existiert nicht.",
      whatToDo: "Prüfen Sie die Adresse, oder gehen Sie zurück zur Anwendung, von der Sie gekommen sind.",
    },
  },
  back: "Zurück zu {application}",
  service: "{host} verbindet Konten für {application}.",
  support: "Hilfe",
  privacy: "Datenschutzhinweise",
  pane: {
    title: "{application} möchte Ihr Konto lesen",
    next: "Im nächsten Schritt bittet {host} Sie um Ihre Erlaubnis.",
    readTitle: "Was gelesen wird",
    capabilities: {
      PROFILE: "Ihr Profil: Name, Kontoname, Bild und Beschreibung",
      CONTENT_LIST: "Ihre Beiträge: Titel, Beschreibungen und Vorschaubilder",
      CONTENT_LOOKUP: "Ein einzelner Beitrag von Ihnen, wenn Sie seine Adresse angeben",
      CONTENT_METRICS: "Wie oft Ihre Beiträge angesehen, mit „Gefällt mir“ markiert, kommentiert und geteilt wurden",
    },
    readOnly: "Es wird nichts veröffentlicht und nichts geändert.",
    retentionTitle: "Wie lange es gespeichert wird",
    retention: {
      one: "Ihr Profil und jeder Beitrag werden {count} Tag nach dem letzten Lesen gelöscht.",
      other: "Ihr Profil und jeder Beitrag werden {count} Tage nach dem letzten Lesen gelöscht.",
    },
    erased: "Wenn Sie das Konto trennen, wird alles gelöscht, was gelesen wurde.",
    revokeTitle: "Wie Sie es beenden",
    revoke:
      "Trennen Sie das Konto in {application}, oder entfernen Sie die App in den Einstellungen Ihres Kontos bei {host}.",
    button: "Weiter zu {host}",
    deadline: {
      one: "Sie haben {count} Minute Zeit, bis {time}.",
      other: "Sie haben {count} Minuten Zeit, bis {time}.",
    },
  },
  deletion: {
    title: "Löschung Ihrer Daten",
    requested: "Beantragt am {time}.",
    nothingHeld: "Zu Ihrem Konto war nichts gespeichert.",
    erased: "Alles, was zu Ihrem Konto gespeichert war, wurde am {time} gelöscht.",
    remaining: {
      one: "Die Daten von {count} verbundenen Konto werden noch gelöscht. Öffnen Sie diese Seite später noch einmal.",
      other:
        "Die Daten von {count} verbundenen Konten werden noch gelöscht. Öffnen Sie diese Seite später noch einmal.",
    },
    erasedTitle: "Was gelöscht wurde",
    connections: {
      one: "{count} verbundenes Konto mit seinem Profil und der Erlaubnis, es zu lesen",
      other: "{count} verbundene Konten mit ihren Profilen und den Erlaubnissen, sie zu lesen",
    },
    posts: { one: "{count} Beitrag mit seinen Zahlen", other: "{count} Beiträge mit ihren Zahlen" },
    appMayRemain:
      "Die Erlaubnis konnte von hier aus nicht zurückgezogen werden. Wenn die App noch in den Einstellungen Ihres Kontos steht, entfernen Sie sie dort.",
    available: "Diese Seite ist bis zum {time} verfügbar.",
    unknownTitle: "Zu diesem Code gibt es keinen Löschantrag",
    unknown: {
      one: "Die Adresse ist unvollständig, oder der Antrag ist mehr als {count} Tag alt.",
      other: "Die Adresse ist unvollständig, oder der Antrag ist mehr als {count} Tage alt.",
    },
  },
};
