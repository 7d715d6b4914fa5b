// Every text of the game, in each language. `{name}` stands for a value.

export const languages = { en: "English", de: "Deutsch", es: "Español" };

const table = {
  title: ["Dice Math", "Würfelrechnen", "Mates con dados"],
  motto: [
    "Roll real dice, do the sum, race to the star.",
    "Echte Würfel werfen, rechnen, zum Stern laufen.",
    "Tira dados de verdad, calcula y corre a la estrella.",
  ],
  goal: [
    "Move by the sum or the difference of two dice. Land exactly on section 9 to win.",
    "Zieht um die Summe oder den Unterschied zweier Würfel. Wer genau auf Feld 9 landet, gewinnt.",
    "Avanza la suma o la diferencia de dos dados. Gana quien cae justo en la casilla 9.",
  ],
  privacy: [
    "Pictures and sound stay in this page: neither sent nor kept. Unfinished games are kept in this browser.",
    "Bilder und Töne bleiben auf dieser Seite, weder gesendet noch aufgehoben. Angefangene Spiele behält dieser Browser.",
    "Las imágenes y los sonidos se quedan en esta página: ni se envían ni se guardan. Las partidas empezadas se guardan en este navegador.",
  ],
  firstPlayer: ["First player", "Erstes Kind", "Primer jugador"],
  secondPlayer: ["Second player", "Zweites Kind", "Segundo jugador"],
  red: ["Red", "Rot", "Rojo"],
  blue: ["Blue", "Blau", "Azul"],
  sameNames: [
    "Give the two players different names.",
    "Die beiden brauchen verschiedene Namen.",
    "Los dos jugadores necesitan nombres distintos.",
  ],
  play: ["Play", "Spielen", "Jugar"],
  mode: ["What do you want to play?", "Was möchtest du spielen?", "¿A qué quieres jugar?"],
  modeBoard: ["Race for two", "Wettlauf zu zweit", "Carrera para dos"],
  modePractice: ["Practice", "Üben", "Practicar"],
  mottoPractice: [
    "Roll real dice, do the sum, climb level by level.",
    "Echte Würfel werfen, rechnen, Stufe um Stufe klettern.",
    "Tira dados de verdad, calcula y sube nivel a nivel.",
  ],
  goalPractice: [
    "Answer questions about your dice. Five right in a row, and the next level comes.",
    "Beantworte Fragen zu deinen Würfeln. Nach fünf richtigen Antworten hintereinander kommt die nächste Stufe.",
    "Responde preguntas sobre tus dados. Con cinco aciertos seguidos llega el nivel siguiente.",
  ],
  player: ["Player", "Kind", "Jugador"],
  name: ["Name", "Name", "Nombre"],
  level: ["Level", "Stufe", "Nivel"],
  level1: ["Count", "Zählen", "Contar"],
  level2: ["Add", "Plus", "Sumar"],
  level3: ["Add and subtract", "Plus und minus", "Sumar y restar"],
  level4: ["Multiply", "Mal", "Multiplicar"],
  level5: ["All in turn", "Alles im Wechsel", "De todo por turnos"],
  advance: ["Go on to the next level", "Weiter zur nächsten Stufe", "Pasar al nivel siguiente"],
  levelIs: ["Level {level}: {name}", "Stufe {level}: {name}", "Nivel {level}: {name}"],
  toNextLevel: [
    "{done} of {count} in a row to the next level", "{done} von {count} hintereinander bis zur nächsten Stufe",
    "{done} de {count} seguidas hasta el nivel siguiente",
  ],
  newLevel: ["New level: {level}!", "Neue Stufe: {level}!", "¡Nivel nuevo: {level}!"],
  streak: ["{streak} in a row · best {longestStreak}", "{streak} hintereinander · Rekord {longestStreak}", "{streak} seguidas · récord {longestStreak}"],
  practiceTable: ["Your dice", "Deine Würfel", "Tus dados"],
  turnPractice: ["Roll the dice!", "Wirf die Würfel!", "¡Tira los dados!"],
  values: ["Your dice: {values}.", "Deine Würfel: {values}.", "Tus dados: {values}."],
  valuesVirtual: ["Virtual dice: {values}.", "Virtuelle Würfel: {values}.", "Dados virtuales: {values}."],
  howMany: ["How many dice are there?", "Wie viele Würfel sind es?", "¿Cuántos dados hay?"],
  howManyDice: ["How many dice?", "Wie viele Würfel?", "¿Cuántos dados?"],
  counted: ["Number of dice: {number}", "Anzahl der Würfel: {number}", "Número de dados: {number}"],
  rightCount: ["Right! Number of dice: {number}", "Richtig! Anzahl der Würfel: {number}", "¡Bien! Número de dados: {number}"],
  diceCountLeast: [
    "I see {found} here; {required} or more are needed.", "Ich sehe {found}; es müssen mindestens {required} sein.",
    "Veo {found}; hacen falta {required} o más.",
  ],
  answerTooLarge: [
    "That makes too large a number. Roll fewer dice.", "Das gibt eine zu große Zahl. Wirf weniger Würfel.",
    "Sale un número demasiado grande. Tira menos dados.",
  ],
  nextRoll: ["Next roll", "Nächster Wurf", "Otra tirada"],
  welcomeBack: ["Here we go on!", "Hier geht es weiter!", "¡Seguimos aquí!"],
  leave: ["Stop and go on later", "Aufhören, später weiter", "Parar y seguir después"],
  savedGames: ["Games to go on with", "Angefangene Spiele", "Partidas empezadas"],
  goOnBoard: [
    "Go on: {first} on {one}, {second} on {two}", "Weiter: {first} auf {one}, {second} auf {two}",
    "Seguir: {first} en la {one}, {second} en la {two}",
  ],
  goOnPractice: [
    "Go on practising: {first}, {level}", "Weiter üben: {first}, {level}", "Seguir practicando: {first}, {level}",
  ],
  forget: ["Forget it", "Verwerfen", "Descartar"],
  forgetGame: ["Forget this game: {game}", "Dieses Spiel verwerfen: {game}", "Descartar esta partida: {game}"],
  savedBroken: [
    "A game was kept here that cannot be read. It was put away.",
    "Hier lag ein Spiel, das nicht zu lesen ist. Es wurde weggelegt.",
    "Había una partida que no se puede leer. Se ha descartado.",
  ],
  savedGone: [
    "That game is gone: another window has ended or dropped it.",
    "Dieses Spiel gibt es nicht mehr: Ein anderes Fenster hat es beendet oder verworfen.",
    "Esa partida ya no está: otra ventana la ha terminado o descartado.",
  ],
  log: ["For parents and teachers", "Für Eltern und Lehrkräfte", "Para familias y docentes"],
  logEmpty: ["Nothing was answered yet.", "Noch wurde nichts beantwortet.", "Aún no se ha respondido nada."],
  logTotals: ["All questions", "Alle Fragen", "Todas las preguntas"],
  logLatest: ["The latest questions", "Die letzten Fragen", "Las últimas preguntas"],
  kind: ["Kind", "Art", "Tipo"],
  count: ["Counting", "Zählen", "Contar"],
  sum: ["Sums", "Plus", "Sumas"],
  difference: ["Differences", "Minus", "Restas"],
  product: ["Products", "Mal", "Productos"],
  askedCount: ["Asked", "Gefragt", "Total"],
  rightAnswers: ["Right", "Richtig", "Bien"],
  firstTry: ["First try", "Sofort", "A la primera"],
  each: ["Time each", "Zeit je", "Tiempo"],
  seconds: ["{seconds} s", "{seconds} s", "{seconds} s"],
  entryWrong: ["not {numbers}", "nicht {numbers}", "no {numbers}"],
  entryOpen: ["not solved", "nicht gelöst", "sin resolver"],
  close: ["Close", "Schließen", "Cerrar"],
  loading: ["Loading…", "Wird geladen …", "Cargando…"],
  language: ["Language", "Sprache", "Idioma"],
  sound: ["Sounds", "Töne", "Sonidos"],
  newGame: ["New game", "Neues Spiel", "Nueva partida"],
  reader: ["Dice reader", "Würfelleser", "Lector de dados"],
  players: ["Players", "Spieler", "Jugadores"],
  board: ["Board", "Spielbrett", "Tablero"],
  place: ["on {section} · {distance} to go", "auf {section} · noch {distance}", "en la {section} · faltan {distance}"],
  toGo: ["{distance} to the star", "noch {distance} bis zum Stern", "{distance} hasta la estrella"],
  placeWon: ["on the star!", "auf dem Stern!", "¡en la estrella!"],
  boardIs: [
    "Board of nine sections in a circle, the star is on section 9. {first} is on section {one}, {second} on section {two}.",
    "Spielbrett mit neun Feldern im Kreis, der Stern ist auf Feld 9. {first} steht auf Feld {one}, {second} auf Feld {two}.",
    "Tablero de nueve casillas en círculo, la estrella está en la 9. {first} está en la casilla {one}, {second} en la {two}.",
  ],
  turn: ["{name}, roll two dice!", "{name}, wirf zwei Würfel!", "{name}, ¡tira dos dados!"],
  howToRoll: [
    "Show them to the camera, or let the page roll.",
    "Zeig sie der Kamera, oder lass die Seite würfeln.",
    "Enséñalos a la cámara o deja que tire la página.",
  ],
  dice: ["Dice", "Würfel", "Dados"],
  stage: ["Camera or picture", "Kamera oder Bild", "Cámara o imagen"],
  camera: ["Camera", "Kamera", "Cámara"],
  stopCamera: ["Stop camera", "Kamera aus", "Parar la cámara"],
  closeFile: ["Close the file", "Datei schließen", "Cerrar el archivo"],
  rollForMe: ["Roll for me", "Für mich würfeln", "Tira por mí"],
  open: ["Open a film or picture", "Film oder Bild öffnen", "Abrir película o imagen"],
  looking: ["Looking for dice", "Ich suche Würfel", "Busco dados"],
  rolling: ["Rolling…", "Sie rollen …", "Ruedan…"],
  seeOne: ["I see one die", "Ich sehe einen Würfel", "Veo un dado"],
  see: ["I see {count} dice", "Ich sehe {count} Würfel", "Veo {count} dados"],
  virtual: ["virtual dice", "virtuelle Würfel", "dados virtuales"],
  fromPicture: ["from a picture", "aus einem Bild", "de una imagen"],
  rolled: ["{name} has {first} and {second}.", "{name} hat {first} und {second}.", "{name} tiene {first} y {second}."],
  rolledVirtual: [
    "Virtual dice: {first} and {second}.", "Virtuelle Würfel: {first} und {second}.",
    "Dados virtuales: {first} y {second}.",
  ],
  ask: ["How much is it?", "Wie viel ist das?", "¿Cuánto es?"],
  askBoth: [
    "Answer one of them: your pawn moves by it.",
    "Löse eine davon: so weit zieht deine Figur.",
    "Responde una: tu ficha avanza ese número.",
  ],
  or: ["or", "oder", "o"],
  answerBy: ["How to answer", "Wie du antwortest", "Cómo responder"],
  write: ["Write", "Schreiben", "Escribir"],
  speak: ["Speak", "Sprechen", "Hablar"],
  type: ["Type", "Tippen", "Teclear"],
  pad: [
    "Writing pad. Write with finger, pen or mouse. With a keyboard, type digits and press Enter.",
    "Schreibfeld. Schreibe mit Finger, Stift oder Maus. Mit der Tastatur: Ziffern tippen und Eingabetaste drücken.",
    "Pizarra. Escribe con el dedo, el lápiz o el ratón. Con el teclado: teclea cifras y pulsa Intro.",
  ],
  padHere: ["Write your answer here", "Schreib deine Antwort hierher", "Escribe aquí tu respuesta"],
  undoStroke: ["Undo", "Zurück", "Deshacer"],
  clear: ["Clear", "Löschen", "Borrar"],
  reading: ["I read {number}", "Ich lese {number}", "Leo {number}"],
  unread: ["I cannot read that", "Das kann ich nicht lesen", "No puedo leerlo"],
  heard: ["I heard {number}", "Ich habe {number} gehört", "He oído {number}"],
  notHeard: [
    "That was no number for me. Say it again, or write it.",
    "Das war für mich keine Zahl. Sag es noch einmal, oder schreib es.",
    "No he entendido un número. Dilo otra vez o escríbelo.",
  ],
  no: ["No, again", "Nein, noch einmal", "No, otra vez"],
  talk: ["Hold and speak", "Halten und sprechen", "Mantén y habla"],
  talking: ["Listening…", "Ich höre zu …", "Te escucho…"],
  always: ["Always listen", "Immer zuhören", "Escuchar siempre"],
  english: [
    "Say the number in English: “eight”, “twelve”.",
    "Sag die Zahl auf Englisch: „eight“, „twelve“.",
    "Di el número en inglés: «eight», «twelve».",
  ],
  answer: ["Your answer", "Deine Antwort", "Tu respuesta"],
  done: ["Done", "Fertig", "Listo"],
  back: ["Delete the last digit", "Letzte Ziffer löschen", "Borrar la última cifra"],
  right: ["Right! {question} = {number}", "Richtig! {question} = {number}", "¡Bien! {question} = {number}"],
  moved: ["{name} moves from {from} to {to}.", "{name} zieht von {from} auf {to}.", "{name} va de la {from} a la {to}."],
  round: ["{name} goes all the way round to {to}.", "{name} läuft einmal herum auf {to}.", "{name} da la vuelta hasta la {to}."],
  stays: ["{name} stays on {to}.", "{name} bleibt auf {to}.", "{name} se queda en la {to}."],
  wrong: ["Not {number}. Try again!", "Nicht {number}. Versuch es noch einmal!", "No es {number}. ¡Inténtalo otra vez!"],
  wrongOver: ["Not {number}.", "Nicht {number}.", "No es {number}."],
  triesOne: ["One try left.", "Noch ein Versuch.", "Queda un intento."],
  tries: ["{count} tries left.", "Noch {count} Versuche.", "Quedan {count} intentos."],
  revealed: ["The answer: {answers}.", "Die Lösung: {answers}.", "La respuesta: {answers}."],
  greaterThan: ["It is more than {0}.", "Es ist mehr als {0}.", "Es mayor que {0}."],
  lessThan: ["It is less than {0}.", "Es ist weniger als {0}.", "Es menor que {0}."],
  pointAtEach: ["Point at each die and count.", "Zeig auf jeden Würfel und zähl.", "Señala cada dado y cuenta."],
  countOn: ["Begin at {0} and count on {1}.", "Fang bei {0} an und zähl {1} weiter.", "Empieza en {0} y cuenta {1} más."],
  countUp: ["Count how far it is from {0} to {1}.", "Zähl, wie weit es von {0} bis {1} ist.", "Cuenta cuánto hay de {0} a {1}."],
  groups: ["Think of {0} times {1} pips.", "Denk an {0} mal {1} Augen.", "Piensa en {0} veces {1} puntos."],
  between: ["It is a number from {0} to {1}.", "Es ist eine Zahl von {0} bis {1}.", "Es un número del {0} al {1}."],
  answerIs: ["It is {0}.", "Es ist {0}.", "Es {0}."],
  diceCount: [
    "I see {found} here; two dice are needed.", "Ich sehe {found}; es müssen zwei Würfel sein.",
    "Veo {found}; hacen falta dos dados.",
  ],
  badValue: ["These dice go up to {required}.", "Diese Würfel gehen bis {required}.", "Estos dados llegan a {required}."],
  alreadyRolled: ["The first roll counts.", "Der erste Wurf zählt.", "Vale la primera tirada."],
  next: ["Next: {name}", "Weiter: {name}", "Sigue: {name}"],
  takeDice: ["Pick up the dice, or press the button.", "Nimm die Würfel weg, oder drück den Knopf.", "Recoge los dados o pulsa el botón."],
  undo: ["Undo step", "Schritt zurück", "Deshacer paso"],
  undone: ["Undone.", "Zurückgenommen.", "Deshecho."],
  won: ["{name} wins!", "{name} gewinnt!", "¡Gana {name}!"],
  playAgain: ["Play again", "Noch einmal", "Jugar otra vez"],
  report: [
    "{name}: {right} of {asked} right, {first} at the first try",
    "{name}: {right} von {asked} richtig, {first} beim ersten Versuch",
    "{name}: {right} de {asked} bien, {first} a la primera",
  ],
  cameraRefused: [
    "The camera was refused. Allow it in the browser’s settings, or let the page roll.",
    "Die Kamera wurde nicht erlaubt. Erlaube sie in den Einstellungen des Browsers, oder lass die Seite würfeln.",
    "La cámara está bloqueada. Permítela en el navegador o deja que tire la página.",
  ],
  cameraNone: [
    "There is no camera here. Let the page roll, or open a picture.",
    "Hier ist keine Kamera. Lass die Seite würfeln, oder öffne ein Bild.",
    "Aquí no hay cámara. Deja que tire la página o abre una imagen.",
  ],
  cameraBusy: ["Another program uses the camera.", "Ein anderes Programm benutzt die Kamera.", "Otro programa usa la cámara."],
  cameraGone: ["The camera is gone.", "Die Kamera ist weg.", "La cámara ya no está."],
  cameraUnsafe: [
    "Browsers give cameras and microphones only to pages that come over https or from this computer.",
    "Kamera und Mikrofon gibt es nur für Seiten, die über https oder von diesem Gerät kommen.",
    "La cámara y el micrófono solo funcionan en páginas https o de este ordenador.",
  ],
  noMicrophone: [
    "The microphone does not work. Write or type the answer.",
    "Das Mikrofon geht nicht. Schreib oder tippe die Antwort.",
    "El micrófono no funciona. Escribe o teclea la respuesta.",
  ],
  noFile: ["This browser cannot read that file.", "Diese Datei kann der Browser nicht lesen.", "El navegador no puede leer ese archivo."],
  noReader: [
    "The part that reads dice did not start. Let the page roll, or load the page again.",
    "Der Teil, der Würfel liest, ist nicht gestartet. Lass die Seite würfeln, oder lade sie neu.",
    "La parte que lee los dados no se ha iniciado. Deja que tire la página o vuelve a cargarla.",
  ],
  notLoaded: [
    "The game did not load. Check the connection, and load the page again.",
    "Das Spiel wurde nicht geladen. Prüfe die Verbindung, und lade die Seite neu.",
    "El juego no se ha cargado. Comprueba la conexión y vuelve a cargar la página.",
  ],
  broken: [
    "This browser cannot play: it needs WebAssembly with vectors.",
    "Dieser Browser kann das nicht: er braucht WebAssembly mit Vektoren.",
    "Este navegador no puede jugar: necesita WebAssembly con vectores.",
  ],
};

const codes = Object.keys(languages);
let language = "en";

/** The language that is shown. */
export function currentLanguage() {
  return language;
}

/** Shows another language; unknown ones are English. */
export function setLanguage(code) {
  language = codes.includes(code) ? code : "en";
  document.documentElement.lang = language;
}

/** A text with its values. */
export function text(key, values = {}) {
  return table[key][codes.indexOf(language)].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Puts texts where the page names them: data-text, and data-label for what has only a label. */
export function translate(root) {
  for (const node of root.querySelectorAll("[data-text]")) node.textContent = text(node.dataset.text);
  for (const node of root.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", text(node.dataset.label));
  }
}
