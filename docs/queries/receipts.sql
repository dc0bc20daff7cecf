-- src-main/service/receipts/receipts-store.ts

SELECT measurement_id, user_id, manifest_sha256, issued_at, receipt FROM receipts WHERE measurement_id = ? AND manifest_sha256 = ? AND user_id = ?;

INSERT INTO receipts (measurement_id, user_id, manifest_sha256, issued_at, receipt) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (measurement_id, manifest_sha256, user_id) DO NOTHING;

SELECT r.measurement_id, r.user_id, r.manifest_sha256, r.issued_at, r.receipt, users.username
  FROM receipts AS r LEFT JOIN users ON users.id = r.user_id WHERE r.measurement_id = ? ORDER BY r.issued_at DESC, r.id DESC LIMIT ?;

SELECT r.measurement_id, r.user_id, r.manifest_sha256, r.issued_at, r.receipt, users.username
  FROM receipts AS r LEFT JOIN users ON users.id = r.user_id WHERE r.measurement_id = ? AND r.user_id = ? ORDER BY r.issued_at DESC, r.id DESC LIMIT ?;
