package hooks

import "github.com/idumb-dev/idumb/controller/store/filestore/layout"

// knownPath is where the pack stands that says what a session was told. Updates are
// made against it.
func (h *handler) knownPath() string { return layout.ToldPaths(h.sessionName())[0] }

// known is the pack that the session knows the content of, "" if that cannot be told.
func (h *handler) known() string {
	if h.sessionName() == "" {
		return ""
	}
	data, _, err := h.repo.files.Read(h.knownPath(), layout.MaxSpec)
	if err != nil {
		return ""
	}
	return string(data)
}

// remember keeps what the session knows from now on. If it cannot be kept, the whole
// pack is sent again.
func (h *handler) remember(pack string) {
	if h.sessionName() == "" || pack == h.known() {
		return
	}
	_ = h.repo.root.Replace(h.knownPath(), []byte(pack))
}

// composes reports whether the host asks for the context of each request by itself, in
// which case nobody would hear what is said at a prompt.
func (h *handler) composes() bool { return h.host().Lasts }
