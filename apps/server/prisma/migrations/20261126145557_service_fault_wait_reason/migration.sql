-- AlterEnum
ALTER TYPE "wait_reason" ADD VALUE 'SERVICE_FAULT';
