import type { Messages } from "./messages.ts";

const START_AGAIN = "Volte à aplicação de onde veio e comece de novo.";

export const PT: Messages = {
  errors: {
    tokenSpent: {
      title: "Este link já foi usado",
      happened: "Cada link para conectar uma conta funciona uma única vez. Este já foi usado ou nunca foi válido.",
      whatToDo: START_AGAIN,
    },
    expired: {
      title: "O tempo acabou",
      happened: "O tempo para conectar a conta terminou, por isso nada foi conectado.",
      whatToDo: START_AGAIN,
    },
    foreignOrigin: {
      title: "Esta página não pode iniciar a conexão",
      happened: "O pedido veio de {origin}, que a aplicação não registrou.",
      whatToDo: START_AGAIN,
    },
    missingOrigin: {
      title: "Esta página não pode iniciar a conexão",
      happened:
        "O navegador não informou de que site veio o pedido. A causa é uma página com a política de referência “no-referrer”; quem a desenvolve deve usar “strict-origin”.",
      whatToDo: START_AGAIN,
    },
    malformedForm: {
      title: "Esta página não pode iniciar a conexão",
      happened: "O formulário da aplicação contém um campo que não é aceito aqui, por isso nada foi conectado.",
      whatToDo: START_AGAIN,
    },
    unavailable: {
      title: "Não é possível conectar agora",
      happened: "No momento, a aplicação não pode conectar contas deste provedor.",
      whatToDo: "Volte à aplicação e tente mais tarde.",
    },
    returnUrlRemoved: {
      title: "A página da aplicação não está mais disponível",
      happened: "A página para a qual você voltaria foi removida da aplicação nesse meio-tempo.",
      whatToDo: START_AGAIN,
    },
    foreignBrowser: {
      title: "Use o navegador em que você começou",
      happened:
        "Esta conexão foi iniciada em outro navegador, por isso não pode ser concluída aqui. Nada foi conectado.",
      whatToDo: "Volte ao navegador em que você começou ou comece de novo aqui.",
    },
    unknownState: {
      title: "Não conhecemos esta conexão",
      happened: "O endereço não pertence a nenhuma conexão em andamento.",
      whatToDo: START_AGAIN,
    },
    stateUsed: {
      title: "Esta etapa já foi concluída",
      happened: "A resposta do provedor já tinha sido recebida; não há mais nada a fazer aqui.",
      whatToDo: "Volte à aplicação para ver o resultado.",
    },
    providerError: {
      title: "A resposta do provedor não é válida",
      happened: "O provedor enviou uma resposta que não pode ser aceita, por isso nada foi conectado.",
      whatToDo: START_AGAIN,
    },
    unexpected: {
      title: "Algo deu errado do nosso lado",
      happened: "Não foi possível concluir a etapa.",
      whatToDo: "Volte à aplicação e tente de novo em um minuto.",
    },
    notFound: {
      title: "Não há nada aqui",
      happened: "O endereço não existe.",
      whatToDo: "Verifique o endereço ou volte à aplicação de onde veio.",
    },
  },
  back: "Voltar a {application}",
  service: "{host} conecta contas para {application}.",
  support: "Obter ajuda",
  privacy: "Aviso de privacidade",
  pane: {
    title: "{application} pede para ler a sua conta",
    next: "Na próxima etapa, {host} pedirá a sua permissão.",
    readTitle: "O que é lido",
    capabilities: {
      PROFILE: "O seu perfil: nome, nome de usuário, imagem e descrição",
      CONTENT_LIST: "As suas publicações: títulos, descrições e imagens de prévia",
      CONTENT_LOOKUP: "Uma publicação sua, quando você informa o endereço dela",
      CONTENT_METRICS: "Quantas visualizações, curtidas, comentários e compartilhamentos as suas publicações têm",
    },
    readOnly: "Nada é publicado nem alterado.",
    retentionTitle: "Por quanto tempo é guardado",
    retention: {
      one: "O seu perfil e cada publicação são apagados {count} dia depois da última leitura.",
      many: "O seu perfil e cada publicação são apagados {count} de dias depois da última leitura.",
      other: "O seu perfil e cada publicação são apagados {count} dias depois da última leitura.",
    },
    erased: "Quando você desconecta a conta, tudo o que foi lido é apagado.",
    revokeTitle: "Como encerrar",
    revoke: "Desconecte a conta em {application} ou remova o aplicativo nas configurações da sua conta em {host}.",
    button: "Continuar para {host}",
    deadline: {
      one: "Você tem {count} minuto, até {time}.",
      many: "Você tem {count} de minutos, até {time}.",
      other: "Você tem {count} minutos, até {time}.",
    },
  },
  deletion: {
    title: "Exclusão dos seus dados",
    requested: "Solicitada em {time}.",
    nothingHeld: "Nada estava guardado sobre a sua conta.",
    erased: "Tudo o que estava guardado sobre a sua conta foi apagado em {time}.",
    remaining: {
      one: "Os dados de {count} conta conectada ainda estão sendo apagados. Abra esta página mais tarde.",
      many: "Os dados de {count} de contas conectadas ainda estão sendo apagados. Abra esta página mais tarde.",
      other: "Os dados de {count} contas conectadas ainda estão sendo apagados. Abra esta página mais tarde.",
    },
    erasedTitle: "O que foi apagado",
    connections: {
      one: "{count} conta conectada, com o seu perfil e a permissão para lê-la",
      many: "{count} de contas conectadas, com os seus perfis e as permissões para lê-las",
      other: "{count} contas conectadas, com os seus perfis e as permissões para lê-las",
    },
    posts: {
      one: "{count} publicação, com os seus números",
      many: "{count} de publicações, com os seus números",
      other: "{count} publicações, com os seus números",
    },
    appMayRemain:
      "Não foi possível retirar a permissão a partir daqui. Se o app ainda aparecer nas configurações da sua conta, remova-o lá.",
    available: "Esta página está disponível até {time}.",
    unknownTitle: "Não há nenhuma solicitação de exclusão com este código",
    unknown: {
      one: "O endereço está incompleto, ou a solicitação tem mais de {count} dia.",
      many: "O endereço está incompleto, ou a solicitação tem mais de {count} de dias.",
      other: "O endereço está incompleto, ou a solicitação tem mais de {count} dias.",
    },
  },
};
