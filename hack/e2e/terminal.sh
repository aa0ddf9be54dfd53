# Drives a dashboard in a real terminal (tmux), for scripts that source it with the folder of a new
# repository: it goes there, with settings and a tmux of its own, and ends what was started at the end.
mkdir -p "$1"
cd "$1"
repo=$PWD
home=$(mktemp -d)
export HOME=$home XDG_CONFIG_HOME=$home/config XDG_STATE_HOME=$home/state LANG=C.UTF-8 TERM=xterm-256color
unset LC_ALL LC_CTYPE NO_COLOR COLORTERM IDUMB_ENFORCE IDUMB_TRUST TMUX EDITOR VISUAL
tmux() { command tmux -S "$home/tmux" -f /dev/null "$@"; }
trap 'tmux kill-server 2>/dev/null || true; idumb controller stop >/dev/null 2>&1 || true; rm -rf "$home"' EXIT

fail() { echo "FAILED: $*" >&2; tmux capture-pane -p >&2 2>/dev/null || true; exit 1; }
screen() { tmux capture-pane -p; }
keys() { tmux send-keys "$@"; }
escape() { keys Escape; sleep 0.2; } # what comes at once behind it is another key
text() { tmux send-keys -l -- "$1"; }
soon() { # soon WHAT COMMAND...: it succeeds within ten seconds
  local what=$1
  shift
  for _ in $(seq 200); do "$@" >/dev/null 2>&1 && return; sleep 0.05; done
  fail "$what"
}
shows() { grep -qF -- "$1" <<<"$(screen)"; }
hides() { ! shows "$1"; }
sees() { soon "the screen does not show: $1" shows "$1"; }
loses() { soon "the screen still shows: $1" hides "$1"; }
phase() { idumb get task "$1" -o 'jsonpath={.status.phase}'; }
is() { [ "$(phase "$1")" = "$2" ]; }
begin() { # begin COMMAND: a dashboard in a new terminal of 80x24, in a shell
  tmux kill-server 2>/dev/null || true
  soon "tmux does not start" tmux new-session -d -x 80 -y 24 'bash --norc --noprofile'
  keys "$1" Enter
  sees "NEEDS YOU"
}
dash() { # the process id of the dashboard that runs in the terminal's shell; grep fails where another process ends meanwhile
  { grep -ls "^PPid:[[:space:]]*$(tmux display-message -p '#{pane_pid}')\$" /proc/[0-9]*/status || true; } | sed 's|^/proc/||; s|/status$||' | grep .
}
over() { ! dash; }
