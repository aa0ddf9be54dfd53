package filestore

import (
	"encoding/binary"
	"hash/crc32"
	"path"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// Beside the index of a large folder, .idumb/run/index/<kind>.names says what the folder
// itself looked like when it held exactly the files of the index: while it looks the same
// nothing was made, renamed or removed in it, and its names need not be listed.
//
//	magic, 8 bytes
//	sum of the index, 4 bytes
//	the folder's size, time of last change, when that was done, inode, 8 bytes each
//	CRC-32C of all that, 4 bytes
const (
	namesMagic  = "idumbnm1"
	namesSize   = 8 + 4 + 4*8 + 4
	namesSuffix = ".names"
)

// list returns the names of the folder: those of the index, if nothing else can be in it.
func (s *shelf) list() ([]string, error) {
	s.folder, s.provable = s.looks()
	if s.provable && s.old.count >= s.s.crowd && s.unchanged() {
		names := make([]string, s.old.count)
		for i := range names {
			names[i] = s.old.name(i)
		}
		return names, nil
	}
	names, err := s.d.Names()
	s.listed = true
	return names, err
}

// looks is the folder's signature, and whether it proves that the names are the same as
// long as it is the same.
func (s *shelf) looks() (signature, bool) {
	sig, _, err := lstat(s.d, ".")
	return sig, err == nil && sig.changed != 0 && !sig.racyAt(s.began)
}

// unchanged reports whether the folder looks as it did when it held the files of the index.
func (s *shelf) unchanged() bool {
	data, _, err := s.s.root.Read(path.Join(layout.IndexDir, s.kind+namesSuffix), namesSize)
	return err == nil && string(data) == string(namesNote(s.old.sum, s.folder)) && keepsNames(s.d)
}

// note writes down that the folder holds the files of the index and no others, if it does.
func (s *shelf) note() {
	if !s.listed || !s.provable || s.old.count < s.s.crowd || len(s.names) < s.old.count || !keepsNames(s.d) {
		return
	}
	known := 0
	for _, name := range s.names {
		if _, claims := objectFile(s.kind, name); !claims && !strings.HasPrefix(name, layout.TempPrefix) {
			continue // no matter whose it is, it is not read
		}
		if _, found := s.old.find(name); !found {
			return
		}
		known++
	}
	if known == s.old.count {
		s.s.keep(s.kind+namesSuffix, namesNote(s.old.sum, s.folder))
	}
}

func namesNote(sum uint32, folder signature) []byte {
	data := appendWords([]byte(namesMagic), int(sum))
	data = appendLongs(data, uint64(folder.size), uint64(folder.mtime), uint64(folder.changed), folder.inode)
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
}
