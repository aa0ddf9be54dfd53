package search

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// sealed returns the bytes of a segment with the checksum that they should have.
func sealed(kept []byte) []byte {
	body := slices.Clone(kept[:len(kept)-4])
	return binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}
