// Reads dice beside the page. A file of this folder, so that it is there without a network, too.
import "../worker.js";
