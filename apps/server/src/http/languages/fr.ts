import type { Messages } from "./messages.ts";

const START_AGAIN = "Retournez à l’application d’où vous venez et recommencez.";

export const FR: Messages = {
  errors: {
    tokenSpent: {
      title: "Ce lien a déjà été utilisé",
      happened:
        "Chaque lien de connexion d’un compte fonctionne une seule fois. Celui-ci a déjà été utilisé ou n’a jamais été valide.",
      whatToDo: START_AGAIN,
    },
    expired: {
      title: "Le délai est dépassé",
      happened: "Le temps prévu pour connecter le compte est écoulé ; rien n’a été connecté.",
      whatToDo: START_AGAIN,
    },
    foreignOrigin: {
      title: "Cette page ne peut pas démarrer la connexion",
      happened: "La demande provient de {origin}, que l’application n’a pas enregistré.",
      whatToDo: START_AGAIN,
    },
    missingOrigin: {
      title: "Cette page ne peut pas démarrer la connexion",
      happened:
        "Le navigateur n’a pas indiqué de quel site provient la demande. Une page avec la politique de référent « no-referrer » en est la cause ; son développeur doit définir « strict-origin ».",
      whatToDo: START_AGAIN,
    },
    malformedForm: {
      title: "Cette page ne peut pas démarrer la connexion",
      happened: "Le formulaire de l’application contient un champ qui n’est pas accepté ici ; rien n’a été connecté.",
      whatToDo: START_AGAIN,
    },
    unavailable: {
      title: "La connexion n’est pas possible actuellement",
      happened: "L’application ne peut pas connecter de compte chez ce fournisseur actuellement.",
      whatToDo: "Retournez à l’application et réessayez plus tard.",
    },
    returnUrlRemoved: {
      title: "La page de l’application n’est plus disponible",
      happened: "La page vers laquelle vous deviez revenir a été retirée de l’application pendant votre absence.",
      whatToDo: START_AGAIN,
    },
    foreignBrowser: {
      title: "Veuillez utiliser le navigateur dans lequel vous avez commencé",
      happened:
        "Cette connexion a été commencée dans un autre navigateur ; elle ne peut pas être terminée ici. Rien n’a été connecté.",
      whatToDo: "Retournez au navigateur dans lequel vous avez commencé, ou recommencez ici.",
    },
    unknownState: {
      title: "Cette connexion est inconnue",
      happened: "L’adresse ne correspond à aucune connexion en cours.",
      whatToDo: START_AGAIN,
    },
    stateUsed: {
      title: "Cette étape est déjà terminée",
      happened: "La réponse du fournisseur a déjà été reçue ; il n’y a plus rien à faire ici.",
      whatToDo: "Retournez à l’application pour voir le résultat.",
    },
    providerError: {
      title: "La réponse du fournisseur n’est pas valide",
      happened: "Le fournisseur a envoyé une réponse qui ne peut pas être acceptée ; rien n’a été connecté.",
      whatToDo: START_AGAIN,
    },
    unexpected: {
      title: "Un problème est survenu de notre côté",
      happened: "L’étape n’a pas pu être terminée.",
      whatToDo: "Retournez à l’application et réessayez dans une minute.",
    },
    notFound: {
      title: "Il n’y a rien ici",
      happened: "L’adresse n’existe pas.",
      whatToDo: "Vérifiez l’adresse, ou retournez à l’application d’où vous venez.",
    },
  },
  back: "Retour à {application}",
  service: "{host} connecte des comptes pour {application}.",
  support: "Obtenir de l’aide",
  privacy: "Politique de confidentialité",
  pane: {
    title: "{application} demande à lire votre compte",
    next: "À l’étape suivante, {host} vous demandera votre autorisation.",
    readTitle: "Ce qui est lu",
    capabilities: {
      PROFILE: "Votre profil : nom, identifiant, photo et description",
      CONTENT_LIST: "Vos publications : titres, descriptions et images d’aperçu",
      CONTENT_LOOKUP: "Une de vos publications, lorsque vous indiquez son adresse",
      CONTENT_METRICS: "Le nombre de vues, de mentions « J’aime », de commentaires et de partages de vos publications",
    },
    readOnly: "Rien n’est publié ni modifié.",
    retentionTitle: "Combien de temps c’est conservé",
    retention: {
      one: "Votre profil et chaque publication sont supprimés {count} jour après leur dernière lecture.",
      many: "Votre profil et chaque publication sont supprimés {count} de jours après leur dernière lecture.",
      other: "Votre profil et chaque publication sont supprimés {count} jours après leur dernière lecture.",
    },
    erased: "Lorsque vous déconnectez le compte, tout ce qui a été lu est supprimé.",
    revokeTitle: "Comment y mettre fin",
    revoke:
      "Déconnectez le compte dans {application}, ou retirez l’application dans les paramètres de votre compte sur {host}.",
    button: "Continuer vers {host}",
    deadline: {
      one: "Vous disposez de {count} minute, jusqu’à {time}.",
      many: "Vous disposez de {count} de minutes, jusqu’à {time}.",
      other: "Vous disposez de {count} minutes, jusqu’à {time}.",
    },
  },
  deletion: {
    title: "Suppression de vos données",
    requested: "Demandée le {time}.",
    nothingHeld: "Rien n’était conservé pour votre compte.",
    erased: "Tout ce qui était conservé pour votre compte a été supprimé le {time}.",
    remaining: {
      one: "Les données de {count} compte connecté sont en cours de suppression. Rouvrez cette page plus tard.",
      many: "Les données de {count} de comptes connectés sont en cours de suppression. Rouvrez cette page plus tard.",
      other: "Les données de {count} comptes connectés sont en cours de suppression. Rouvrez cette page plus tard.",
    },
    erasedTitle: "Ce qui a été supprimé",
    connections: {
      one: "{count} compte connecté, avec son profil et l’autorisation de le lire",
      many: "{count} de comptes connectés, avec leurs profils et les autorisations de les lire",
      other: "{count} comptes connectés, avec leurs profils et les autorisations de les lire",
    },
    posts: {
      one: "{count} publication, avec ses chiffres",
      many: "{count} de publications, avec leurs chiffres",
      other: "{count} publications, avec leurs chiffres",
    },
    appMayRemain:
      "L’autorisation n’a pas pu être retirée d’ici. Si l’application figure encore dans les paramètres de votre compte, supprimez-la à cet endroit.",
    available: "Cette page est disponible jusqu’au {time}.",
    unknownTitle: "Aucune demande de suppression ne correspond à ce code",
    unknown: {
      one: "L’adresse est incomplète, ou la demande date de plus de {count} jour.",
      many: "L’adresse est incomplète, ou la demande date de plus de {count} de jours.",
      other: "L’adresse est incomplète, ou la demande date de plus de {count} jours.",
    },
  },
};
