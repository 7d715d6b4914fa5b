# Sourced by the scripts of this folder: builds this project's part and installs the peers into a
# virtual environment in .build-peers, which git ignores. A peer that cannot be installed is left
# out, with a note on standard error.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
cache="${DICEVISION_PEERS:-$root/.build-peers}"
venv="$cache/venv"
export SWIFT_BACKTRACE=enable=no PYTHONDONTWRITEBYTECODE=1

build_ours() {
  (cd "$root" && swift build -c release --product dicevision &&
    swift build -c release --product dicevision-workshop &&
    swift build -c release --product detector-benchmark) 1>&2
  export DICEVISION_BINARIES="$(cd "$root" && swift build -c release --show-bin-path)"
}

# install_peer MODULE PACKAGE [PIP OPTIONS...]
install_peer() {
  local module="$1" package="$2"
  shift 2
  [ -x "$venv/bin/python3" ] || python3 -m venv "$venv" 1>&2
  if "$venv/bin/python3" -c "import importlib.util as u, sys; sys.exit(u.find_spec('$module') is None)"
  then return; fi
  if ! "$venv/bin/python3" -m pip install --quiet --disable-pip-version-check "$@" "$package" 1>&2
  then echo "skipped: $package cannot be installed" >&2; fi
}

# The engines of other projects that the scripts compare with.
install_network_peers() {
  install_peer numpy numpy
  install_peer onnx onnx
  install_peer onnxruntime onnxruntime
  install_peer openvino openvino
  install_peer ncnn ncnn
  # Only the converter's binary is used; the torch that the package asks for is not.
  install_peer pnnx pnnx --no-deps
  install_peer MNN MNN
  install_peer cv2 opencv-python-headless
}

run_python() {
  mkdir -p "$cache/work"
  export DICEVISION_PEERS_WORK="$cache/work"
  cd "$root"
  exec "$venv/bin/python3" "$root/Benchmarks/Peers/$1" "${@:2}"
}
