import type { Messages } from "./messages.ts";

const START_AGAIN = "Vuelva a la aplicación de la que viene y empiece de nuevo.";

export const ES: Messages = {
  errors: {
    tokenSpent: {
      title: "Este enlace ya se ha utilizado",
      happened: "Cada enlace para conectar una cuenta funciona una sola vez. Este ya se utilizó o nunca fue válido.",
      whatToDo: START_AGAIN,
    },
    expired: {
      title: "Se ha agotado el tiempo",
      happened: "El tiempo para conectar la cuenta ha terminado, por lo que no se ha conectado nada.",
      whatToDo: START_AGAIN,
    },
    foreignOrigin: {
      title: "Esta página no puede iniciar la conexión",
      happened: "La solicitud procede de {origin}, que la aplicación no ha registrado.",
      whatToDo: START_AGAIN,
    },
    missingOrigin: {
      title: "Esta página no puede iniciar la conexión",
      happened:
        "El navegador no indicó de qué sitio procede la solicitud. La causa es una página con la política de referente «no-referrer»; sus desarrolladores deben usar «strict-origin».",
      whatToDo: START_AGAIN,
    },
    malformedForm: {
      title: "Esta página no puede iniciar la conexión",
      happened:
        "El formulario de la aplicación contiene un campo que aquí no se admite, por lo que no se ha conectado nada.",
      whatToDo: START_AGAIN,
    },
    unavailable: {
      title: "Ahora no es posible conectar",
      happened: "La aplicación no puede conectar cuentas de este proveedor en este momento.",
      whatToDo: "Vuelva a la aplicación e inténtelo más tarde.",
    },
    returnUrlRemoved: {
      title: "La página de la aplicación ya no está disponible",
      happened: "La página a la que debía volver se ha eliminado de la aplicación mientras tanto.",
      whatToDo: START_AGAIN,
    },
    foreignBrowser: {
      title: "Utilice el navegador en el que empezó",
      happened:
        "Esta conexión se inició en otro navegador, por lo que no se puede terminar aquí. No se ha conectado nada.",
      whatToDo: "Vuelva al navegador en el que empezó, o empiece de nuevo aquí.",
    },
    unknownState: {
      title: "No conocemos esta conexión",
      happened: "La dirección no corresponde a ninguna conexión en curso.",
      whatToDo: START_AGAIN,
    },
    stateUsed: {
      title: "Este paso ya está hecho",
      happened: "La respuesta del proveedor ya se había recibido; aquí no queda nada por hacer.",
      whatToDo: "Vuelva a la aplicación para ver el resultado.",
    },
    providerError: {
      title: "La respuesta del proveedor no es válida",
      happened: "El proveedor envió una respuesta que no se puede aceptar, por lo que no se ha conectado nada.",
      whatToDo: START_AGAIN,
    },
    unexpected: {
      title: "Se ha producido un error por nuestra parte",
      happened: "No se ha podido terminar el paso.",
      whatToDo: "Vuelva a la aplicación e inténtelo de nuevo dentro de un minuto.",
    },
    notFound: {
      title: "Aquí no hay nada",
      happened: "La dirección no existe.",
      whatToDo: "Compruebe la dirección o vuelva a la aplicación de la que viene.",
    },
  },
  back: "Volver a {application}",
  service: "{host} conecta cuentas para {application}.",
  support: "Obtener ayuda",
  privacy: "Aviso de privacidad",
  pane: {
    title: "{application} solicita leer su cuenta",
    next: "En el siguiente paso, {host} le pedirá permiso.",
    readTitle: "Qué se lee",
    capabilities: {
      PROFILE: "Su perfil: nombre, nombre de usuario, imagen y descripción",
      CONTENT_LIST: "Sus publicaciones: títulos, descripciones e imágenes de vista previa",
      CONTENT_LOOKUP: "Una publicación suya, cuando usted indique su dirección",
      CONTENT_METRICS: "Cuántas visualizaciones, «me gusta», comentarios y veces compartidas tienen sus publicaciones",
    },
    readOnly: "No se publica ni se modifica nada.",
    retentionTitle: "Cuánto tiempo se conserva",
    retention: {
      one: "Su perfil y cada publicación se eliminan {count} día después de haberse leído por última vez.",
      many: "Su perfil y cada publicación se eliminan {count} de días después de haberse leído por última vez.",
      other: "Su perfil y cada publicación se eliminan {count} días después de haberse leído por última vez.",
    },
    erased: "Cuando desconecta la cuenta, se elimina todo lo que se ha leído.",
    revokeTitle: "Cómo ponerle fin",
    revoke: "Desconecte la cuenta en {application} o elimine la aplicación en la configuración de su cuenta en {host}.",
    button: "Continuar a {host}",
    deadline: {
      one: "Dispone de {count} minuto, hasta las {time}.",
      many: "Dispone de {count} de minutos, hasta las {time}.",
      other: "Dispone de {count} minutos, hasta las {time}.",
    },
  },
  deletion: {
    title: "Eliminación de sus datos",
    requested: "Solicitada el {time}.",
    nothingHeld: "No había nada guardado de su cuenta.",
    erased: "Todo lo que había guardado de su cuenta se eliminó el {time}.",
    remaining: {
      one: "Los datos de {count} cuenta conectada todavía se están eliminando. Vuelva a abrir esta página más tarde.",
      many: "Los datos de {count} de cuentas conectadas todavía se están eliminando. Vuelva a abrir esta página más tarde.",
      other:
        "Los datos de {count} cuentas conectadas todavía se están eliminando. Vuelva a abrir esta página más tarde.",
    },
    erasedTitle: "Qué se eliminó",
    connections: {
      one: "{count} cuenta conectada, con su perfil y el permiso para leerla",
      many: "{count} de cuentas conectadas, con sus perfiles y los permisos para leerlas",
      other: "{count} cuentas conectadas, con sus perfiles y los permisos para leerlas",
    },
    posts: {
      one: "{count} publicación, con sus cifras",
      many: "{count} de publicaciones, con sus cifras",
      other: "{count} publicaciones, con sus cifras",
    },
    appMayRemain:
      "El permiso no se pudo retirar desde aquí. Si la aplicación todavía aparece en la configuración de su cuenta, elimínela allí.",
    available: "Esta página está disponible hasta el {time}.",
    unknownTitle: "No hay ninguna solicitud de eliminación con este código",
    unknown: {
      one: "La dirección está incompleta, o la solicitud tiene más de {count} día.",
      many: "La dirección está incompleta, o la solicitud tiene más de {count} de días.",
      other: "La dirección está incompleta, o la solicitud tiene más de {count} días.",
    },
  },
};
