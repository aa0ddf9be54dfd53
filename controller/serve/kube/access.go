package kube

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

const (
	// accessFile keeps how the API is reached, for its owner alone.
	accessFile = layout.KubeDir + "/access.json"
	// openFile is there while somebody wants the API: the next controller opens it again.
	openFile = layout.KubeDir + "/open"
	// maxAccess is the most that is read of accessFile, in bytes.
	maxAccess = 64 << 10
)

// access is how the API is reached, as it is kept from one controller to the next.
type access struct {
	CA          []byte `json:"ca"`          // PEM; its key was thrown away once it had signed
	Certificate []byte `json:"certificate"` // PEM, of the server
	Key         []byte `json:"key"`         // PEM, of the server
	Token       string `json:"token"`
	Port        int    `json:"port"` // 0: any
}

// loadAccess reads how the API was reached the last time. Where that is not known, was open to
// others or is over soon, everything is made anew, and clients need a new kubeconfig.
func loadAccess(root layout.Root, now time.Time) (access, error) {
	data, info, err := root.Read(accessFile, maxAccess)
	if err == nil && info.Mode.Perm()&0o077 == 0 {
		var a access
		if json.Unmarshal(data, &a) == nil && len(a.Token) >= tokenBytes && a.Port >= 0 && a.Port < 1<<16 && goodUntil(&a, now) {
			return a, nil
		}
	}
	a, err := newCertificates(now)
	if err != nil {
		return access{}, fmt.Errorf("make the keys of the Kubernetes API: %w", err)
	}
	a.Token = newToken()
	return a, nil
}

// save keeps it for the next controller.
func (a *access) save(root layout.Root) error {
	data, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	folder, err := root.Make(layout.KubeDir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.ReplaceDurably(path.Base(accessFile), data, 0o600)
}

// tokenBytes is how much chance is in a token.
const tokenBytes = 32

func newToken() string {
	var b [tokenBytes]byte
	rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}
